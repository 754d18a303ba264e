import { Modal, Stack, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReportViewView } from '../../../../../src/contract/reportViews.ts';
import { FormButtons } from '../components/FormButtons.tsx';
import { Problem } from '../components/Loaded.tsx';
import { toast } from '../components/toast.ts';
import { fieldErrors } from '../form/fieldErrors.ts';
import { filterToKeep, type ReportFilter } from './reportQueries.ts';
import { useCreateView, useUpdateView } from './viewQueries.ts';

type Named = { name: string; shared: boolean };
type Props = {
  /** Null: a new one, of the filters that are set. */ view: ReportViewView | null;
  filter: ReportFilter;
  onDone?: ((view: ReportViewView) => void) | undefined;
  onClose: () => void;
};

/** How a view is called, and who sees it. */
export function ViewDialog({ view, filter, onDone, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      onClose={onClose}
      title={view === null ? t('reports.views.keep') : t('reports.views.editOf', { name: view.name })}
      centered
    >
      {view === null ? (
        <NewView filter={filter} onDone={onDone} onClose={onClose} />
      ) : (
        <ChangedView view={view} onClose={onClose} />
      )}
    </Modal>
  );
}

function NewView({ filter, onDone, onClose }: Pick<Props, 'filter' | 'onDone' | 'onClose'>) {
  const creating = useCreateView();
  const create = (named: Named, saved: () => void) =>
    creating.run(
      { ...named, filter: filterToKeep(filter) },
      {
        onSuccess: (made) => {
          onDone?.(made);
          saved();
        },
      },
    );
  return <NameForm given={{ name: '', shared: false }} action={creating} save={create} onClose={onClose} />;
}

function ChangedView({ view, onClose }: { view: ReportViewView; onClose: () => void }) {
  const saving = useUpdateView(view);
  return (
    <NameForm
      given={view}
      isSent={view.schedule !== null}
      action={saving}
      save={(named, saved) => saving.run(named, { onSuccess: saved })}
      onClose={onClose}
    />
  );
}

type FormProps = {
  given: Named;
  /** Then it stays shared. */ isSent?: boolean;
  action: { error: unknown; isPending: boolean };
  save: (named: Named, saved: () => void) => void;
  onClose: () => void;
};

function NameForm({ given, isSent = false, action, save, onClose }: FormProps) {
  const { t } = useTranslation();
  const [name, setName] = useState(given.name);
  const [shared, setShared] = useState(given.shared);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save({ name: name.trim(), shared }, () => {
          toast(t('reports.views.saved'));
          onClose();
        });
      }}
    >
      <Stack>
        <TextInput
          label={t('reports.views.name')}
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={fieldErrors(t, action.error)['name']}
          data-autofocus
        />
        <Switch
          label={t('reports.views.share')}
          description={isSent ? t('reports.views.staysShared') : undefined}
          disabled={isSent}
          checked={shared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
        <Problem error={action.error} fields={['name']} />
        <FormButtons save={t('reports.views.save')} isSaving={action.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
