import { useFormat } from '../../../lib/i18n/format.ts';

type Props = {
  /** ISO 8601. */
  at: string;
};

/** A time by this computer's clock; pointing at it shows it in full. */
export function Moment({ at }: Props) {
  const format = useFormat();
  return (
    <time dateTime={at} title={at}>
      {format.exact(at)}
    </time>
  );
}
