import type { PopFormat } from '../../../../src/contract/vocabulary.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';
import type { Format } from '../../lib/i18n/format.ts';
import { recordAddress } from '../RecordLink.tsx';
import { exactMoney, exactNumber } from './exactNumber.ts';
import { epochTime, type ExactTime, isoTime } from './exactTime.ts';

/**
 * A value as a CRM has it: a text, or a number with all its digits;
 * `words`: what a page says in place of it, such as Yes.
 */
export type PlainValue = { type: 'text' | 'number' | 'words'; text: string };

/** `currency`: of money, ISO 4217. */
export type HowWritten = { format: PopFormat; currency?: string | null };

/** A value for its reader. `address`: what it opens. */
export type WrittenValue = { text: string; address: string | null; isPhone: boolean };

/** Who it is written for. `locale`: BCP 47. */
export type Writer = { t: Translate; locale: string; format: Format };

/**
 * Writes a value as its reader is used to it. One that does not fit its format stays as it came: nothing of it is lost.
 */
export function writeValue(
  writer: Writer,
  { type, text }: PlainValue,
  { format, currency = null }: HowWritten,
): WrittenValue {
  if (type === 'words') return plain(text);
  switch (format) {
    case 'auto':
      return type === 'text' ? recognized(writer, text) : plain(text);
    case 'text':
      return plain(text);
    case 'number':
      return plain(exactNumber(writer.locale, text) ?? text);
    case 'money':
      return plain(moneyText(writer, text, currency) ?? text);
    case 'date':
      return plain(dayText(writer, isoTime(text) ?? epochTime(text)) ?? text);
    case 'date_time':
      return plain(timeText(writer, isoTime(text) ?? epochTime(text)) ?? text);
    case 'phone':
      return { ...plain(text), isPhone: true };
    case 'link':
      return { ...plain(text), address: linkTo(text) };
    case 'email':
      return { ...plain(text), address: mailTo(text) };
    case 'yes_no':
      return plain(yesOrNo(writer, text) ?? text);
  }
}

function plain(text: string): WrittenValue {
  return { text, address: null, isPhone: false };
}

/** What is beyond doubt; times without their time zone are not. */
function recognized(writer: Writer, text: string): WrittenValue {
  if (/^\+[1-9]\d{6,14}$/.test(text)) return { ...plain(text), isPhone: true };
  const time = isoTime(text);
  if (time?.kind === 'day' || time?.kind === 'moment') return plain(timeText(writer, time) ?? text);
  return { ...plain(text), address: linkTo(text) ?? mailTo(text) };
}

/** The amount alone, or with its currency as the built-in CRM keeps it: `12.50 EUR`. Without any it is a number. */
function moneyText({ locale, format }: Writer, text: string, currency: string | null): string | null {
  const [, amount = text, own = currency] = /^(-?\d+(?:\.\d+)?) ([A-Z]{3})$/.exec(text) ?? [];
  return own === null ? exactNumber(locale, amount) : exactMoney(format.money, amount, own);
}

function dayText({ locale, format }: Writer, time: ExactTime | null): string | null {
  if (time === null) return null;
  if (time.kind === 'day') return format.day(time.day);
  // CRM systems keep days as midnight in UTC: another time zone would show the day before.
  const isDay = time.kind === 'clock' || time.at % 86_400_000 === 0;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', ...(isDay ? { timeZone: 'UTC' } : {}) }).format(
    time.at,
  );
}

function timeText({ locale, format }: Writer, time: ExactTime | null): string | null {
  switch (time?.kind) {
    case undefined:
      return null;
    case 'day':
      return format.day(time.day);
    case 'moment':
      return format.moment(time.at);
    case 'clock':
      return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(
        time.at,
      );
  }
}

/** The whole text as an address that may be opened: spaces would be a sentence around one. */
function linkTo(text: string): string | null {
  return /^https?:\/\/\S+$/i.test(text) ? recordAddress(text) : null;
}

/** Nothing but an address: what follows a question mark would fill in the mail. */
function mailTo(text: string): string | null {
  if (text.length > 254 || !/^[\w.!#$%'*+/=^`{|}~-]+@[a-z\d-]+(?:\.[a-z\d-]+)+$/i.test(text)) return null;
  const at = text.lastIndexOf('@');
  return `mailto:${encodeURIComponent(text.slice(0, at))}${text.slice(at)}`;
}

function yesOrNo({ t }: Writer, text: string): string | null {
  if (/^(?:true|yes|y|1)$/i.test(text)) return t('softphone.customer.yes');
  return /^(?:false|no|n|0)$/i.test(text) ? t('softphone.customer.no') : null;
}
