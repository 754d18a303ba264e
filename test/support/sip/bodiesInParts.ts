/** Where somebody is (RFC 4119, RFC 6442), as emergency and mobile networks send it beside the SDP. */
const location = [
  'Content-Type: application/pidf+xml',
  'Content-ID: <caller@pbx.test>',
  '',
  '<?xml version="1.0"?><presence entity="sip:a@pbx.test"/>',
].join('\r\n');

/** The type of a body that `inParts` makes. */
export const partsType = 'multipart/mixed;boundary=parts';

/** A part with SDP. @param headers further ones of the part */
export function sdpPart(sdp: string, ...headers: string[]): string {
  return ['Content-Type: application/sdp', ...headers, '', sdp].join('\r\n');
}

/** A body in parts (RFC 2046, 5.1): the caller's location, and those. */
export function inParts(parts: readonly string[], boundary = 'parts', others = [location]): string {
  return ['', ...[...others, ...parts].map((part) => `--${boundary}\r\n${part}`), `--${boundary}--`, ''].join('\r\n');
}
