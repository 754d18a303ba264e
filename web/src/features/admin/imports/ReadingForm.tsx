import { Group, Select, Stack, Switch, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ImportView, importEncodings, type UploadQuery } from '../../../../../src/contract/imports.ts';
import { mentions } from '../../../shared/foldText.ts';
import { fieldsQuery } from '../../../shared/sharedQueries.ts';
import { useCountryOptions } from '../components/countries.ts';
import { Loaded, Problem } from '../components/Loaded.tsx';
import { Section } from '../components/Page.tsx';
import { previewQuery, useChangeImport } from './importQueries.ts';
import { MappingTable } from './MappingTable.tsx';
import { PreviewTable } from './PreviewTable.tsx';
import type { Reading } from './useUpload.ts';

const delimiters = [',', ';', 'tab', '|'] as const satisfies readonly UploadQuery['delimiter'][];

const encodingNames: Readonly<Partial<Record<ImportView['encoding'], string>>> = {
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  macintosh: 'Macintosh',
  shift_jis: 'Shift_JIS',
  big5: 'Big5',
};
const encodingName = (encoding: ImportView['encoding']) =>
  encodingNames[encoding] ?? encoding.toUpperCase().replace('WINDOWS', 'Windows');
const unicode = importEncodings.map((value) => ({ value, label: encodingName(value) }));
const delimiterNames = { ',': 'comma', ';': 'semicolon', tab: 'tab', '|': 'pipe' } as const;

type Draft = Pick<ImportView, 'encoding' | 'mapping' | 'has_header' | 'default_country'>;

type Props = {
  one: ImportView;
  /** Reads the file in another way; undefined: this page does not have it any more. */
  onReread: ((reading: Reading) => void) | undefined;
  /** Whether changes are on their way. */
  onSaving: (isSaving: boolean) => void;
};

/** How the file is read: its form, what its columns are, and what the first rows come to. A change is saved at once. */
export function ReadingForm({ one, onReread, onSaving }: Props) {
  const { t } = useTranslation();
  const countries = useCountryOptions();
  const fields = useQuery({ ...fieldsQuery, placeholderData: keepPreviousData });
  const preview = useQuery(previewQuery(one));
  const { draft, setDraft, error } = useSavedDraft(one, onSaving);
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  // What is not in Unicode does not say what it is in.
  const isGuessed = one.encodings.length > 0;
  return (
    <>
      <Section
        title={t('imports.reading.title')}
        note={onReread === undefined ? t('imports.reading.again') : undefined}
      >
        <Group gap="md" align="flex-end">
          <Select
            label={t('imports.reading.delimiter')}
            w={170}
            disabled={onReread === undefined}
            allowDeselect={false}
            data={delimiters.map((value) => ({ value, label: t(`imports.delimiters.${delimiterNames[value]}`) }))}
            value={one.delimiter}
            onChange={(delimiter) =>
              onReread?.({ delimiter: delimiter as (typeof delimiters)[number], encoding: one.encoding })
            }
          />
          <Select
            label={t('imports.reading.encoding')}
            w={isGuessed ? 420 : 170}
            maw="100%"
            disabled={!isGuessed && onReread === undefined}
            allowDeselect={false}
            data={
              isGuessed
                ? one.encodings.map(({ encoding, sample }) => ({
                    value: encoding,
                    label: `${encodingName(encoding)} – ${sample}`,
                  }))
                : unicode
            }
            value={draft.encoding}
            onChange={(value) => {
              const encoding = value as ImportView['encoding'];
              if (isGuessed) change({ encoding });
              else onReread?.({ encoding, delimiter: one.delimiter as (typeof delimiters)[number] });
            }}
          />
          <Select
            label={t('imports.reading.country')}
            w={320}
            maw="100%"
            data={countries}
            value={draft.default_country}
            onChange={(country) => change({ default_country: country })}
            placeholder={t('imports.reading.companyCountry')}
            searchable
            filter={({ options, search }) =>
              options.filter((option) => 'label' in option && mentions([option.label], search))
            }
            clearable
            clearButtonProps={{ 'aria-label': t('imports.reading.noCountry') }}
          />
          <Switch
            mb={8}
            label={t('imports.reading.header')}
            checked={draft.has_header}
            onChange={({ currentTarget }) => change({ has_header: currentTarget.checked })}
          />
        </Group>
        {isGuessed && (
          <Text size="sm">
            {t('imports.reading.guessed', {
              encoding: encodingName(one.encoding),
              sample: one.encodings[0]?.sample ?? '',
            })}
          </Text>
        )}
        {one.header_row !== null && one.header_row > 1 && (
          <Text size="sm" c="dimmed">
            {t('imports.reading.headerRow', { row: one.header_row })}
          </Text>
        )}
        <Problem error={error} />
      </Section>
      <Section title={t('imports.mapping.title')} note={t('imports.mapping.note')}>
        <Loaded query={fields}>
          {(own) => (
            <MappingTable
              of={{ columns: one.columns, has_header: draft.has_header }}
              mapping={draft.mapping}
              fields={own}
              samples={preview.data?.map(({ cells }) => cells) ?? []}
              onChange={(mapping) => change({ mapping })}
            />
          )}
        </Loaded>
      </Section>
      <Section title={t('imports.preview.title')} note={t('imports.preview.note')}>
        {one.mapping.length === 0 ? (
          <Text size="sm">{t('admin.cause.nothing_mapped')}</Text>
        ) : (
          <Stack
            gap="xs"
            style={{ opacity: preview.isPlaceholderData ? 0.5 : 1 }}
            aria-busy={preview.isPlaceholderData}
          >
            <Loaded query={preview}>
              {(rows) => <PreviewTable of={one} rows={rows} fields={fields.data ?? []} />}
            </Loaded>
          </Stack>
        )}
      </Section>
    </>
  );
}

/** What is shown while it is being saved; one change after the other, the latest last. */
function useSavedDraft(one: ImportView, onSaving: (isSaving: boolean) => void) {
  const stored: Draft = {
    encoding: one.encoding,
    mapping: one.mapping,
    has_header: one.has_header,
    default_country: one.default_country,
  };
  const [draft, setDraft] = useState<Draft | null>(null);
  const { run, isPending, error } = useChangeImport();
  const isChanged = draft !== null && JSON.stringify(draft) !== JSON.stringify(stored);
  // What was refused is not sent again by itself.
  const [refused, setRefused] = useState<Draft | null>(null);
  const isDue = isChanged && draft !== refused;
  useEffect(() => {
    if (!isDue || isPending) return;
    const { encoding, mapping, ...rest } = draft;
    const sent = mapping.map(({ label, ...each }) => ({ ...each, ...(label === null ? {} : { label }) }));
    // Headers read anew are suggested anew.
    const change = encoding === one.encoding ? { mapping: sent, ...rest } : { encoding };
    run(
      { id: one.id, version: one.version, ...change },
      {
        onSuccess: () => setDraft((latest) => (latest === draft ? null : latest)),
        onError: () => setRefused(draft),
      },
    );
  });
  useEffect(() => onSaving(isDue || isPending), [isDue, isPending, onSaving]);
  return { draft: draft ?? stored, setDraft, error };
}
