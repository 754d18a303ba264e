import { Button, EmptyState, Text } from '@mantine/core';
import { IconForms, IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldView } from '../../../../../src/contract/contactFields.ts';
import { fieldsQuery } from '../../../shared/sharedQueries.ts';
import { Confirm } from '../components/Confirm.tsx';
import { Loaded, Problem } from '../components/Loaded.tsx';
import { Page, Section } from '../components/Page.tsx';
import { useAsked } from '../components/useAsked.ts';
import { useFollowedRow } from '../components/useFollowedRow.ts';
import { FieldForm } from './FieldForm.tsx';
import { FieldRow } from './FieldRow.tsx';
import { useOrderFields, useRemoveField } from './fieldQueries.ts';

/**
 * The fields of contacts that the company has defined: their order, what they hold,
 * and which are shown when the phone rings.
 */
export function FieldsPage() {
  const { t } = useTranslation();
  const query = useQuery(fieldsQuery);
  /** The field whose form is open; null: the form for a new one; undefined: none. */
  const [edited, setEdited] = useState<FieldView | null>();
  const add = (
    <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => setEdited(null)}>
      {t('admin.fields.add')}
    </Button>
  );
  return (
    <Page title={t('admin.pages.fields')} actions={add} isNarrow>
      <Text size="sm">{t('admin.fields.note')}</Text>
      {edited !== undefined && (
        <FieldForm
          key={edited?.key ?? ''}
          field={edited}
          count={query.data?.length ?? 0}
          onDone={() => setEdited(undefined)}
        />
      )}
      <Loaded query={query}>
        {(fields) =>
          fields.length === 0 ? (
            <EmptyState
              icon={<IconForms />}
              title={t('admin.fields.none.title')}
              description={t('admin.fields.none.text')}
            />
          ) : (
            <FieldList fields={fields} onEdit={setEdited} />
          )
        }
      </Loaded>
    </Page>
  );
}

/** Orders and removes fields; the focus goes along, so that the keyboard alone will do. */
function FieldList({ fields, onEdit }: { fields: readonly FieldView[]; onEdit: (field: FieldView) => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { list, followMoved } = useFollowedRow<HTMLDivElement>(fields, 'data-field');
  const ordering = useOrderFields();
  const removing = useRemoveField();
  const removal = useAsked<FieldView | null>(null);

  function move(index: number, by: -1 | 1): void {
    const moved = fields[index];
    if (moved === undefined || ordering.isPending) return;
    const ordered = fields.toSpliced(index, 1).toSpliced(index + by, 0, moved);
    followMoved(moved.key, by);
    queries.setQueryData(fieldsQuery.queryKey, ordered);
    ordering.run(ordered);
  }

  return (
    <Section title={t('admin.fields.title')}>
      <div ref={list}>
        {fields.map((field, index) => (
          <FieldRow
            key={field.key}
            field={field}
            index={index}
            count={fields.length}
            onMove={(by) => move(index, by)}
            onEdit={() => onEdit(field)}
            onRemove={() => removal.ask(field)}
          />
        ))}
      </div>
      <Problem error={ordering.error} />
      <Confirm
        isOpen={removal.isOpen}
        title={t('admin.fields.remove.title', { label: removal.about?.label ?? '' })}
        action={t('admin.fields.remove.action')}
        isBusy={removing.isPending}
        error={removing.error}
        onConfirm={() => removal.about !== null && removing.run(removal.about.key, { onSuccess: removal.close })}
        onClose={removal.close}
      >
        {t('admin.fields.remove.text')}
      </Confirm>
    </Section>
  );
}
