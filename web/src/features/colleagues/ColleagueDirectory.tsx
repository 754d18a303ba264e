import { IconUsers } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ToolPopover } from '../workplace/ToolPopover.tsx';
import { ColleagueList } from './ColleagueList.tsx';

/** Who else is there, what they are doing and since when; read while it is open. */
export function ColleagueDirectory() {
  const { t } = useTranslation();
  return (
    <ToolPopover title={t('colleagues.title')} icon={IconUsers} width="min(22rem, 95vw)">
      {(isOpen) => isOpen && <ColleagueList />}
    </ToolPopover>
  );
}
