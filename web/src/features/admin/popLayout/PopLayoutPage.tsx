import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PopLayout } from '../../../../../src/contract/popLayout.ts';
import { fieldLabel, type CustomerField } from '../../../shared/customerDetails/customerFields.ts';
import { popFields } from '../../../shared/customerDetails/CustomerFields.tsx';
import { isOutdated } from '../../crm/isOutdated.ts';
import { Loaded, Problem } from '../components/Loaded.tsx';
import { Page, Section } from '../components/Page.tsx';
import { SaveBar } from '../components/SaveBar.tsx';
import { toast } from '../components/toast.ts';
import { isSame } from '../../../shared/form/diff.ts';
import { fieldErrors } from '../../../shared/form/fieldErrors.ts';
import { useLeaveGuard } from '../../../shared/form/leaveGuard.ts';
import { AddFields } from './AddFields.tsx';
import { LayoutList } from './LayoutList.tsx';
import { fieldsOf, keysLeft, type Row, rowsOf } from './layoutRows.ts';
import {
  latestCallsQuery,
  popLayoutQuery,
  type Previewed,
  previewQuery,
  useSavePopLayout,
} from './popLayoutQueries.ts';
import { Preview, PreviewChooser } from './Preview.tsx';

/** How screen pops show what is known of a customer, with a real one beside it. */
export function PopLayoutPage() {
  const { t } = useTranslation();
  const query = useQuery(popLayoutQuery);
  return (
    <Page title={t('admin.pages.popLayout')}>
      <Text size="sm">{t('popLayout.note')}</Text>
      <Loaded query={query}>{(layout) => <Editor saved={layout} />}</Loaded>
    </Page>
  );
}

/** @param saved what the gateway has now */
function Editor({ saved }: { saved: PopLayout }) {
  const { t } = useTranslation();
  // As it was when it was read: saving it later is refused where somebody else has changed it.
  const [base, setBase] = useState(saved);
  const [rows, setRows] = useState(() => rowsOf(saved.fields));
  const saving = useSavePopLayout();
  const fields = fieldsOf(rows);
  const isChanged = !isSame(fields, fieldsOf(rowsOf(base.fields)));
  useLeaveGuard(isChanged ? 'unsavedChanges' : null);
  const { of, setOf, shown } = useShown();
  const known: readonly CustomerField[] = shown.data === undefined ? [] : popFields(t, shown.data);
  const object = shown.data?.screen_pop.external_object;
  const objects = [
    ...new Set([
      object,
      ...(shown.data?.screen_pop.candidates ?? []).map((candidate) => candidate.object),
      ...rows.map((row) => row.object),
    ]),
  ].filter((kind) => kind !== undefined);
  const isRefused = isOutdated(saving.error);

  function begin(from: PopLayout): void {
    setBase(from);
    setRows(rowsOf(from.fields));
    saving.reset();
  }

  function save(version: number): void {
    saving.run(
      { fields, version },
      {
        onSuccess: (now) => {
          setBase(now);
          toast(t('popLayout.saved'));
        },
      },
    );
  }

  function usualOf({ key }: Row): string {
    const contactField = base.contact_fields.find((field) => field.key === key);
    const left = keysLeft(known, []).find((field) => field.key === key);
    return (
      contactField?.label ??
      left?.label ??
      fieldLabel(
        t,
        key.split('.').filter((step) => step !== '*'),
      )
    );
  }

  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" style={{ alignItems: 'start' }}>
      <Stack gap="md">
        <Section title={t('popLayout.fields.title')}>
          <LayoutList
            rows={rows}
            usualOf={usualOf}
            objects={objects}
            keys={known.map(({ key }) => key)}
            faults={fieldErrors(t, saving.error)}
            onChange={setRows}
          />
          {isRefused ? (
            <Conflict onTheirs={() => begin(saved)} onMine={() => save(saved.version)} isSaving={saving.isPending} />
          ) : (
            <Problem error={saving.error} />
          )}
          <Form onSubmit={() => save(base.version)}>
            <SaveBar isChanged={isChanged && !isRefused} isSaving={saving.isPending} onReset={() => begin(base)} />
          </Form>
        </Section>
        <Section title={t('popLayout.add.title')}>
          <AddFields
            left={shown.data === undefined ? null : keysLeft(known, rows)}
            rows={rows}
            object={object}
            onAdd={(added) => setRows([...rows, ...added])}
          />
        </Section>
      </Stack>
      <Section title={t('popLayout.preview.title')} note={t('popLayout.preview.note')}>
        <PreviewChooser of={of} onChoose={setOf} />
        <Preview query={shown} layout={{ ...base, fields }} />
      </Section>
    </SimpleGrid>
  );
}

/** The customer who is looked at: that of the latest call, until another one is chosen. */
function useShown() {
  const calls = useQuery(latestCallsQuery);
  const [chosen, setOf] = useState<Previewed | null>(null);
  const [latest] = calls.data ?? [];
  const of: Previewed | null = chosen ?? (latest === undefined ? null : { call: latest.id });
  const shown = useQuery(previewQuery(of));
  return { of, setOf, shown };
}

function Form({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

/** Two have arranged it at once: which of both it is to be. */
function Conflict({ onTheirs, onMine, isSaving }: { onTheirs: () => void; onMine: () => void; isSaving: boolean }) {
  const { t } = useTranslation();
  return (
    <Alert color="yellow" variant="light" role="alert" title={t('popLayout.conflict.title')}>
      <Text size="sm">{t('popLayout.conflict.text')}</Text>
      <Group gap="xs" mt="xs">
        <Button size="xs" variant="default" onClick={onTheirs}>
          {t('popLayout.conflict.theirs')}
        </Button>
        <Button size="xs" variant="default" loading={isSaving} onClick={onMine}>
          {t('popLayout.conflict.mine')}
        </Button>
      </Group>
    </Alert>
  );
}
