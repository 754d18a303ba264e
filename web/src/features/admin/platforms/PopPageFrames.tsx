import { Stack, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { IntegrationView } from '../../../../../src/contract/integrations.ts';
import { integrationQuery, useUpdateIntegration } from '../connect/integrationQueries.ts';
import { Loaded, Problem } from '../components/Loaded.tsx';
import { Section } from '../components/Page.tsx';
import { SaveBar } from '../components/SaveBar.tsx';
import { toast } from '../components/toast.ts';
import { useEditForm } from '../form/useEditForm.ts';

/** Whose pages may hold the pop page in a frame. */
export function PopPageFrames() {
  const { t } = useTranslation();
  const query = useQuery(integrationQuery);
  return (
    <Section title={t('platforms.popPage.title')} note={t('platforms.popPage.note')}>
      <Loaded query={query}>{({ integration }) => <Frames integration={integration} />}</Loaded>
    </Section>
  );
}

function Frames({ integration: { pop_frame_ancestors: origins } }: { integration: IntegrationView }) {
  const { t } = useTranslation();
  const { form, isChanged, reset, saved, refused } = useEditForm(
    { pop_frame_ancestors: origins },
    { fieldOf: (path) => path.replace(/\..*$/, '') },
  );
  const save = useUpdateIntegration();
  return (
    <form
      onSubmit={form.onSubmit((values) =>
        save.run(values, {
          onSuccess: () => {
            saved(values);
            toast(t('platforms.popPage.saved'));
          },
          onError: refused,
        }),
      )}
      noValidate
    >
      <Stack gap="xs">
        <TagsInput
          label={t('platforms.popPage.origins')}
          description={t('platforms.popPage.hint')}
          placeholder="https://desktop.example.com"
          acceptValueOnBlur
          {...form.getInputProps('pop_frame_ancestors')}
        />
        <Problem error={save.error} fields={['pop_frame_ancestors']} />
        <SaveBar isChanged={isChanged} isSaving={save.isPending} onReset={reset} />
      </Stack>
    </form>
  );
}
