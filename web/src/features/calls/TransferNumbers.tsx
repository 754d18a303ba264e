import { useTranslation } from 'react-i18next';
import { PhoneNumber } from '../../shared/phoneNumbers/PhoneNumber.tsx';
import { TransferList, TransferRow } from './TransferRow.tsx';

/** Somebody with a number, such as a contact of the company or a speed dial. */
export type Reachable = { key: string; name: string; phone: string; isUnwilling: boolean };
type Props = {
  label: string;
  found: Reachable[];
  isBusy: boolean;
  asksFirst: boolean;
  onChoose: (phone: string, isAskedFirst: boolean) => void;
};

/** Whom the call can be handed on to by their number; a press does it, or calls them first. */
export function TransferNumbers({ label, found, isBusy, asksFirst, onChoose }: Props) {
  const { t } = useTranslation();
  if (found.length === 0) return null;
  return (
    <TransferList label={label}>
      {found.map(({ isUnwilling, key, name, phone }) => (
        <TransferRow
          key={key}
          name={name}
          aside={<PhoneNumber number={phone} />}
          blocker={isUnwilling ? t('shared.problem.do_not_call') : null}
          isBusy={isBusy}
          asksFirst={asksFirst}
          onChoose={(isAskedFirst) => onChoose(phone, isAskedFirst)}
        />
      ))}
    </TransferList>
  );
}
