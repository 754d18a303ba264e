import { refuse, type Refused } from '../../domain/outcome.ts';
import { FileRefused } from '../../ports/csvFiles.ts';

/** Why a file that was sent is refused: it is too large, or cannot be read. */
export function refusalOfFile({ message, reason }: FileRefused): Refused {
  return refuse(reason.code === 'file_too_large' ? 'payload_too_large' : 'invalid_request', message, { cause: reason });
}

/**
 * The same bytes, as long as they are not more. Throws FileRefused.
 * @param max a multiple of a MiB
 * @param onChunk is given each piece before anybody else
 */
export async function* limitedBytes(
  bytes: AsyncIterable<Buffer>,
  max: number,
  onChunk?: (chunk: Buffer) => void,
): AsyncGenerator<Buffer> {
  let count = 0;
  for await (const chunk of bytes) {
    onChunk?.(chunk);
    count += chunk.length;
    if (count > max) throw new FileRefused(tooLargeText(max), { code: 'file_too_large', params: { max } });
    yield chunk;
  }
}

export function tooLargeText(max: number): string {
  return `The file is larger than ${String(max / 1024 ** 2)} MiB. Split it.`;
}
