const thisYear = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
/** When the page was opened, which is good enough for leaving the year out. */
const yearNow = new Date().getFullYear();
const otherYear = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' });

type Props = {
  /** ISO 8601. */
  at: string;
};

/** A time by this computer's clock; pointing at it shows it in full. */
export function Moment({ at }: Props) {
  const time = new Date(at);
  const format = time.getFullYear() === yearNow ? thisYear : otherYear;
  return (
    <time dateTime={at} title={at}>
      {format.format(time)}
    </time>
  );
}
