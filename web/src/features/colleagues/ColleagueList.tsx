import '../../shared/styles/choices.ts';
import { Box, Group, Select, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ColleagueView } from '../../../../src/contract/colleagues.ts';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { StateLabel } from '../../shared/agentState.tsx';
import { clockText } from '../../shared/time.ts';
import { useGatewayNow } from '../workplace/workplaceContext.ts';
import classes from './ColleagueList.module.css';
import { useColleagues, useTeams } from './useColleagues.ts';

/** So many are shown; whoever is not among them is found by name. */
const shown = 50;
/** What can be keyed on any phone; other accounts say nothing to people. */
const keyed = /^[\d*#]{1,15}$/;

/** Colleagues, those who can take a call soonest first. */
export function ColleagueList() {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [team, setTeam] = useState<string | null>(null);
  const [isReadyOnly, setReadyOnly] = useState(false);
  const teams = useTeams();
  const { colleagues, error, isAll } = useColleagues({ sought: typed.trim(), team, isReadyOnly, limit: shown });
  return (
    <>
      <TextInput
        size="xs"
        type="search"
        data-autofocus
        aria-label={t('colleagues.find')}
        placeholder={t('colleagues.findHint')}
        leftSection={<IconSearch size="1.25em" aria-hidden />}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Group gap="xs" mt="xs" wrap="nowrap">
        <Select
          size="xs"
          flex={1}
          aria-label={t('colleagues.show')}
          allowDeselect={false}
          data={[
            { value: 'all', label: t('colleagues.everyState') },
            { value: 'ready', label: t('colleagues.readyOnly') },
          ]}
          value={isReadyOnly ? 'ready' : 'all'}
          onChange={(value) => setReadyOnly(value === 'ready')}
          comboboxProps={{ withinPortal: false }}
        />
        {teams.length > 0 && (
          <Select
            size="xs"
            flex={1}
            aria-label={t('colleagues.team')}
            placeholder={t('colleagues.allTeams')}
            clearable
            clearButtonProps={{ 'aria-label': t('colleagues.allTeams') }}
            data={teams.map(({ code, name }) => ({ value: code, label: name }))}
            value={team}
            onChange={setTeam}
            comboboxProps={{ withinPortal: false }}
          />
        )}
      </Group>
      {error !== null && (
        <Text size="sm" mt="xs" role="alert">
          {messageOf(t, error)}
        </Text>
      )}
      {colleagues === undefined && error === null && (
        <Text size="sm" mt="xs">
          {t('colleagues.reading')}
        </Text>
      )}
      {colleagues?.length === 0 && (
        <Text size="sm" mt="xs">
          {t('colleagues.nobody')}
        </Text>
      )}
      {colleagues !== undefined && colleagues.length > 0 && (
        <Box component="ul" className={classes.list ?? ''} tabIndex={0} aria-label={t('colleagues.title')}>
          {colleagues.map((colleague) => (
            <Colleague key={colleague.id} colleague={colleague} />
          ))}
        </Box>
      )}
      {!isAll && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('colleagues.more', { count: shown })}
        </Text>
      )}
    </>
  );
}

function Colleague({ colleague: { agent_code: code, extension, name, since, state } }: { colleague: ColleagueView }) {
  const { t } = useTranslation();
  const now = useGatewayNow();
  const isKeyed = extension !== null && keyed.test(extension);
  return (
    <li className={classes.colleague}>
      <span className={classes.who}>
        <bdi className={classes.name} title={name}>
          {name}
        </bdi>
        <span className={classes.code} title={isKeyed ? t('colleagues.extension', { extension }) : undefined}>
          {isKeyed ? extension : code}
        </span>
      </span>
      <span className={classes.state}>
        {state === null ? t('colleagues.unknown') : <StateLabel state={state} />}
        {/* Gateways of before do not tell. */}
        {since != null && <span className={classes.time}>{clockText(now - Date.parse(since))}</span>}
      </span>
    </li>
  );
}
