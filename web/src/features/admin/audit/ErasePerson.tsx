import { useState } from 'react';
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useTyped } from '../../../shared/list/useTyped.ts';
import { usePhoneText } from '../../../shared/phoneNumbers/phoneText.ts';
import { Confirm } from '../components/Confirm.tsx';
import { Problem } from '../components/Loaded.tsx';
import { Section } from '../components/Page.tsx';
import { findPersonQuery, personQuery, useErase } from './auditQueries.ts';
import { ErasedCountsText } from './ErasedCountsText.tsx';

/** Finds a person, says what will go and what stays, erases, and reports how much it was. */
export function ErasePerson() {
  const { t } = useTranslation();
  const phoneText = usePhoneText();
  const { typed, setTyped, asked } = useTyped();
  const [chosen, setChosen] = useState<string | null>(null);
  const found = useQuery(findPersonQuery(asked));
  const erase = useErase();
  const report = erase.data;
  const whoIs = ({
    name,
    phone_number: phone,
    email,
  }: {
    name: string | null;
    phone_number: string | null;
    email: string | null;
  }) => [name, phone === null ? null : phoneText(phone), email].filter((part) => part !== null).join(' · ');

  function end(): void {
    setChosen(null);
    setTyped('');
  }

  return (
    <Section title={t('audit.erase.title')} note={t('audit.erase.note')}>
      <TextInput
        type="search"
        label={t('audit.erase.who')}
        leftSection={<IconSearch size={16} aria-hidden />}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Problem error={found.error} />
      {asked !== '' && found.data?.length === 0 && (
        <Text size="sm" c="dimmed" component="output">
          {t('audit.erase.nobody')}
        </Text>
      )}
      <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
        {(found.data ?? []).map((person) => (
          <Group key={person.id} component="li" justify="space-between" wrap="nowrap">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              <bdi>{whoIs(person)}</bdi>
            </Text>
            <Button
              size="xs"
              variant="default"
              aria-label={t('audit.erase.of', { who: whoIs(person) })}
              onClick={() => {
                erase.reset();
                setChosen(person.id);
              }}
            >
              {t('audit.erase.ask')}
            </Button>
          </Group>
        ))}
      </Stack>
      {chosen !== null && <AskOnce id={chosen} erase={erase} onClose={() => setChosen(null)} onErased={end} />}
      {report !== undefined && (
        <output>
          <Alert color="green" variant="light" title={t('audit.erase.done')}>
            <ErasedCountsText erased={report.erased} />
          </Alert>
        </output>
      )}
    </Section>
  );
}

type AskProps = { id: string; erase: ReturnType<typeof useErase>; onClose: () => void; onErased: () => void };

/** It cannot be undone: once more, with who it is now. */
function AskOnce({ id, erase, onClose, onErased }: AskProps) {
  const { t } = useTranslation();
  const person = useQuery(personQuery(id));
  return (
    <Confirm
      isOpen
      title={t('audit.erase.sure', { who: person.data?.name ?? t('audit.erase.somebody') })}
      action={t('audit.erase.action')}
      isBusy={erase.isPending || person.data === undefined}
      error={erase.error ?? person.error}
      onClose={onClose}
      onConfirm={() => person.data !== undefined && erase.run(person.data, { onSuccess: onErased })}
    >
      <Stack gap="xs">
        <Text size="sm">{t('audit.erase.goes')}</Text>
        <Text size="sm">{t('audit.erase.stays')}</Text>
      </Stack>
    </Confirm>
  );
}
