import { Modal, Switch, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ReportViewView } from '../../../../../src/contract/reportViews.ts';
import { type RecordForm, useRecordForm } from '../../../shared/form/useRecordForm.ts';
import { FormButtons } from '../components/FormButtons.tsx';
import { RecordPanel } from '../components/RecordPanel.tsx';
import { toast } from '../components/toast.ts';
import { filterToKeep, type ReportFilter } from './reportQueries.ts';
import { useCreateView, useUpdateView } from './viewQueries.ts';

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
  const { t } = useTranslation();
  const record = useRecordForm(
    { name: '', shared: false },
    {
      action: useCreateView(),
      body: (_changes, { name, shared }) => ({ name: name.trim(), shared, filter: filterToKeep(filter) }),
      isGuarded: false,
      onSaved: (made) => {
        onDone?.(made);
        toast(t('reports.views.saved'));
        onClose();
      },
    },
  );
  return <NameForm record={record} onClose={onClose} />;
}

function ChangedView({ view, onClose }: { view: ReportViewView; onClose: () => void }) {
  const { t } = useTranslation();
  const record = useRecordForm(
    { name: view.name, shared: view.shared },
    {
      action: useUpdateView(view),
      body: (_changes, { name, shared }) => ({ name: name.trim(), shared }),
      isGuarded: false,
      onSaved: () => {
        toast(t('reports.views.saved'));
        onClose();
      },
    },
  );
  return <NameForm record={record} isSent={view.schedule !== null} onClose={onClose} />;
}

type FormProps = {
  record: RecordForm<{ name: string; shared: boolean }>;
  /** Then it stays shared. */ isSent?: boolean;
  onClose: () => void;
};

function NameForm({ record, isSent = false, onClose }: FormProps) {
  const { t } = useTranslation();
  const { form } = record;
  return (
    <RecordPanel
      record={record}
      fields={['name']}
      gap="md"
      isChecked
      end={<FormButtons save={t('reports.views.save')} isSaving={record.isSaving} onCancel={onClose} />}
    >
      <TextInput
        label={t('reports.views.name')}
        required
        maxLength={200}
        {...form.getInputProps('name')}
        data-autofocus
      />
      <Switch
        label={t('reports.views.share')}
        description={isSent ? t('reports.views.staysShared') : undefined}
        disabled={isSent}
        {...form.getInputProps('shared', { type: 'checkbox' })}
      />
    </RecordPanel>
  );
}
