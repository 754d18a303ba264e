import { ActionIcon, Popover, Title } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ColleagueList } from './ColleagueList.tsx';

/** Who else is there, what they are doing and since when; read while it is open. */
export function ColleagueDirectory() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      position="bottom-end"
      shadow="md"
      trapFocus
      returnFocus
      opened={isOpen}
      onChange={setOpen}
      width="min(22rem, 95vw)"
    >
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('colleagues.title')}
          title={t('colleagues.title')}
          onClick={() => setOpen(!isOpen)}
        >
          <IconUsers size={18} stroke={1.75} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('colleagues.title')}>
        <Title order={2} size="h3" mb="xs">
          {t('colleagues.title')}
        </Title>
        {isOpen && <ColleagueList />}
      </Popover.Dropdown>
    </Popover>
  );
}
