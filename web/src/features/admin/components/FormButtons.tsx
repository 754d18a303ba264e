import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';

type Props = { save: string; isSaving: boolean; onCancel: () => void };

/** The end of a form that opens in its page: saves it, or closes it as it was. */
export function FormButtons({ save, isSaving, onCancel }: Props) {
  const { t } = useTranslation();
  return (
    <Group gap="xs">
      <Button type="submit" size="xs" loading={isSaving}>
        {save}
      </Button>
      <Button size="xs" variant="default" onClick={onCancel}>
        {t('admin.common.cancel')}
      </Button>
    </Group>
  );
}
