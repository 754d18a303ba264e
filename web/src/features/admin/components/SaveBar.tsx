import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';

type Props = { isChanged: boolean; isSaving: boolean; onReset: () => void };

/** Saves a form, or goes back to what is saved. */
export function SaveBar({ isChanged, isSaving, onReset }: Props) {
  const { t } = useTranslation();
  return (
    <Group gap="xs">
      <Button type="submit" loading={isSaving} disabled={!isChanged}>
        {t('admin.common.save')}
      </Button>
      {isChanged && !isSaving && (
        <Button variant="subtle" color="gray" onClick={onReset}>
          {t('admin.common.discard')}
        </Button>
      )}
    </Group>
  );
}
