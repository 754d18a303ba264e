import { Fragment, useId, useState } from 'react';
import { Alert, Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ContactView } from '../../../../src/contract/contacts.ts';
import { ApiProblem, messageOf } from '../../lib/gateway/apiProblem.ts';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { fieldsQuery } from '../../shared/sharedQueries.ts';
import { betterFilled, type ChoiceRow, differs, mergeRequest, rowsOf, type Side } from './mergeChoice.ts';
import { useMerge } from './useMerge.ts';
import classes from './Comparison.module.css';

type Props = {
  contacts: readonly [ContactView, ContactView];
  /** @param merged the contact that stays */
  onMerged: (merged: ContactView) => void;
  /** What may be done instead. */
  instead: { text: string; isPending: boolean; error: unknown; onClick: () => void };
};

const sides = [0, 1] as const;

/** Two contacts side by side, with a choice where they differ; what is put together is shown of both. */
export function Comparison({ contacts, onMerged, instead }: Props) {
  const { t } = useTranslation();
  const merging = useMerge();
  const [chosen, setChosen] = useState<Record<string, Side>>({});
  const stays = betterFilled(contacts);
  const isConflict = merging.error instanceof ApiProblem && merging.error.why?.code === 'changed_meanwhile';
  const isBusy = merging.isPending || instead.isPending;
  const error = (isConflict ? null : merging.error) ?? instead.error;
  return (
    <Stack gap="sm">
      {isConflict && (
        <Alert color="yellow" variant="light" role="alert">
          {t('duplicates.changed')}
        </Alert>
      )}
      <div className={classes.table}>
        {rowsOf(contacts).map((row) => (
          <Row
            key={row.key}
            row={row}
            side={chosen[row.key] ?? stays}
            onChoose={(side) => setChosen({ ...chosen, [row.key]: side })}
          />
        ))}
        <United contacts={contacts} />
      </div>
      <Text size="sm" c="dimmed">
        {t('duplicates.united')}
      </Text>
      {error !== null && (
        <Alert color="red" variant="light" role="alert">
          {messageOf(t, error)}
        </Alert>
      )}
      <Group gap="xs">
        <Button
          size="xs"
          loading={merging.isPending}
          disabled={isBusy}
          onClick={() => merging.run(mergeRequest(contacts, chosen), { onSuccess: onMerged })}
        >
          {t('duplicates.merge')}
        </Button>
        <Button size="xs" variant="default" loading={instead.isPending} disabled={isBusy} onClick={instead.onClick}>
          {instead.text}
        </Button>
      </Group>
    </Stack>
  );
}

type RowProps = { row: ChoiceRow; side: Side; onChoose: (side: Side) => void };

/** One field: a choice where both say something else, else what one of them says. */
function Row({ row, side, onChoose }: RowProps) {
  const { t } = useTranslation();
  const label = useId();
  const fields = useQuery(fieldsQuery).data ?? [];
  const own = row.key.slice('fields.'.length);
  const name =
    row.field === null ? (fields.find(({ key }) => key === own)?.label ?? own) : t(`duplicates.fields.${row.field}`);
  const isChoice = differs(row);
  return (
    <div role={isChoice ? 'radiogroup' : 'group'} aria-labelledby={label} style={{ display: 'contents' }}>
      <Text id={label} size="sm" c="dimmed" className={classes.label ?? ''}>
        {name}
      </Text>
      {sides.map((each) => {
        const value = row.values[each];
        if (!isChoice) return <Value key={each} texts={value === null ? [] : [value]} />;
        return (
          <Radio
            key={each}
            name={label}
            size="sm"
            checked={side === each}
            onChange={() => onChoose(each)}
            label={<span className={classes.value}>{value}</span>}
          />
        );
      })}
    </div>
  );
}

/** What both have together from then on. */
function United({ contacts }: Pick<Props, 'contacts'>) {
  const { t } = useTranslation();
  const phoneText = usePhoneText();
  const lists = {
    phones: contacts.map(({ phones }) => phones.map(({ phone_number: number }) => phoneText(number))),
    emails: contacts.map(({ emails }) => emails.map(({ email }) => email)),
    tags: contacts.map(({ tags }) => tags),
    do_not_call: contacts.map((contact) => (contact.do_not_call ? [t('duplicates.doNotCall')] : [])),
  };
  return (['phones', 'emails', 'tags', 'do_not_call'] as const)
    .filter((field) => lists[field].some((texts) => texts.length > 0))
    .map((field) => (
      <Fragment key={field}>
        <Text size="sm" c="dimmed" className={classes.label ?? ''}>
          {t(`duplicates.fields.${field}`)}
        </Text>
        {lists[field].map((texts, side) => (
          <Value key={String(side)} texts={texts} />
        ))}
      </Fragment>
    ));
}

function Value({ texts }: { texts: readonly string[] }) {
  return (
    <Text component="div" size="sm" className={classes.value ?? ''}>
      {texts.length === 0 ? '–' : texts.join('\n')}
    </Text>
  );
}
