import { useTranslation } from 'react-i18next';
import type { OtherEndOfCall } from '../otherEnd.ts';
import { PhoneNumber } from './PhoneNumber.tsx';

/**
 * Who is at the other end: the name where it is known, else the number, else what the network told.
 * Each in its own direction.
 */
export function OtherEnd({ name = null, phone, caller }: OtherEndOfCall & { name?: string | null | undefined }) {
  const { t } = useTranslation();
  if (name !== null && name.trim() !== '') return <bdi>{name.trim()}</bdi>;
  return phone === null ? <bdi>{caller ?? t('shared.withheld')}</bdi> : <PhoneNumber number={phone} />;
}
