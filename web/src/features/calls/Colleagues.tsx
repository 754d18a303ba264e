import { useTranslation } from 'react-i18next';
import type { ColleagueView } from '../../../../src/contract/colleagues.ts';
import { StateLabel } from '../../shared/agentState.tsx';
import { TransferList, TransferRow } from './TransferRow.tsx';

type Props = {
  found: ColleagueView[];
  isBusy: boolean;
  asksFirst: boolean;
  onChoose: (colleague: ColleagueView, isAskedFirst: boolean) => void;
};

/** The user part of an address that needs no escaping. */
const callable = /^[\w.+*#-]{1,64}$/;

/** Colleagues with what they are doing; a press hands the call on to one, or calls them first. */
export function Colleagues({ found, isBusy, asksFirst, onChoose }: Props) {
  const { t } = useTranslation();
  return (
    <TransferList label={t('transfer.colleagues')}>
      {found.map((colleague) => {
        const { extension, id, name, state } = colleague;
        const blocker = extension !== null && callable.test(extension) ? null : t('transfer.noExtension');
        const aside = state !== null && <StateLabel state={state} />;
        return (
          <TransferRow
            key={id}
            name={name}
            aside={aside}
            blocker={blocker}
            isBusy={isBusy}
            asksFirst={asksFirst}
            onChoose={(isAskedFirst) => onChoose(colleague, isAskedFirst)}
          />
        );
      })}
    </TransferList>
  );
}
