import { ActionIcon, Button, Group, Select } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReportViewView } from '../../../../../src/contract/reportViews.ts';
import { Confirm } from '../components/Confirm.tsx';
import { Problem } from '../components/Loaded.tsx';
import { toast } from '../components/toast.ts';
import { useAccount } from '../shell/accountContext.ts';
import { filterOfView, filterToKeep, type ReportFilter } from './reportQueries.ts';
import { ViewDialog } from './ViewDialog.tsx';
import { useRemoveView, useUpdateView, viewsQuery } from './viewQueries.ts';

type Props = {
  filter: ReportFilter;
  /** Null: none is open. */ opened: ReportViewView | null;
  onOpen: (view: ReportViewView | null) => void;
};

/** Filters under names: opens one, keeps those that are set now, changes and removes one. */
export function ViewBar({ filter, opened, onOpen }: Props) {
  const { t } = useTranslation();
  const { data: views = [], error } = useQuery(viewsQuery);
  const [isCreating, setCreating] = useState(false);
  const { agent } = useAccount();
  const groups = [
    { group: t('reports.views.own'), items: views.filter(({ owner, shared }) => owner.id === agent.id && !shared) },
    { group: t('reports.views.shared'), items: views.filter(({ shared }) => shared) },
  ];
  return (
    <Group align="flex-end" gap="xs">
      <Select
        label={t('reports.views.view')}
        placeholder={t('reports.views.none')}
        data={groups
          .filter(({ items }) => items.length > 0)
          .map(({ group, items }) => ({ group, items: items.map(({ id, name }) => ({ value: id, label: name })) }))}
        value={opened?.id ?? null}
        onChange={(id) => onOpen(views.find((view) => view.id === id) ?? null)}
        nothingFoundMessage={t('reports.views.noneKept')}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('reports.views.close') }}
        w={240}
      />
      {opened !== null && mayChange(opened, agent) && (
        <OwnView
          key={`${opened.id} ${String(opened.version)}`}
          view={opened}
          filter={filter}
          onGone={() => onOpen(null)}
        />
      )}
      <Button variant="default" size="xs" mb={3} onClick={() => setCreating(true)}>
        {t('reports.views.keep')}
      </Button>
      {isCreating && <ViewDialog view={null} filter={filter} onDone={onOpen} onClose={() => setCreating(false)} />}
      <Problem error={error} />
    </Group>
  );
}

/** As the gateway has it: a shared view is its owner's and admins', one whose report is sent admins' alone. */
function mayChange({ owner, schedule }: ReportViewView, { id, role }: { id: string; role: string }): boolean {
  return role === 'admin' || (owner.id === id && schedule === null);
}

/** What its owner or an admin does with the view that is open. */
function OwnView({ view, filter, onGone }: { view: ReportViewView; filter: ReportFilter; onGone: () => void }) {
  const { t } = useTranslation();
  const saving = useUpdateView(view);
  const removing = useRemoveView();
  const [asks, setAsks] = useState<'rename' | 'remove' | null>(null);
  const isChanged = JSON.stringify(filterToKeep(filter)) !== JSON.stringify(filterToKeep(filterOfView(view.filter)));
  return (
    <>
      {isChanged && (
        <Button
          size="xs"
          mb={3}
          loading={saving.isPending}
          onClick={() =>
            saving.run({ filter: filterToKeep(filter) }, { onSuccess: () => toast(t('reports.views.saved')) })
          }
        >
          {t('reports.views.save')}
        </Button>
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        mb={4}
        aria-label={t('reports.views.editOf', { name: view.name })}
        onClick={() => setAsks('rename')}
      >
        <IconPencil size={16} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        mb={4}
        aria-label={t('reports.views.removeOf', { name: view.name })}
        onClick={() => setAsks('remove')}
      >
        <IconTrash size={16} />
      </ActionIcon>
      <Problem error={saving.error} />
      {asks === 'rename' && <ViewDialog view={view} filter={filter} onClose={() => setAsks(null)} />}
      <Confirm
        isOpen={asks === 'remove'}
        title={t('reports.views.remove.title', { name: view.name })}
        action={t('reports.views.remove.action')}
        isBusy={removing.isPending}
        error={removing.error}
        onConfirm={() => removing.run(view.id, { onSuccess: onGone })}
        onClose={() => setAsks(null)}
      >
        {t(view.schedule === null ? 'reports.views.remove.text' : 'reports.views.remove.textScheduled')}
      </Confirm>
    </>
  );
}
