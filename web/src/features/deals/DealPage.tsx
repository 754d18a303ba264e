import { Alert, Anchor, Button, Paper, Select, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import type { DealView } from '../../../../src/contract/deals.ts';
import { api } from '../../lib/gateway/api.ts';
import { ApiProblem, messageOf } from '../../lib/gateway/apiProblem.ts';
import { useAction } from '../../lib/gateway/useAction.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { pipelinesQuery } from '../../shared/sharedQueries.ts';
import contactClasses from '../contacts/ContactFacts.module.css';
import pageClasses from '../contacts/ContactPage.module.css';
import { AreaPage } from '../crm/AreaPage.tsx';
import { Listed } from '../crm/Listed.tsx';
import { Loaded } from '../crm/Loaded.tsx';
import classes from './DealPage.module.css';
import { stageOptions } from './dealForm.ts';
import { dealQuery, movesQuery, noteChanged } from './dealQueries.ts';
import { isOutdated } from '../crm/isOutdated.ts';

/** What is known of a deal, and where it has been. */
export function DealPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const query = useQuery(dealQuery(id));
  if (query.error instanceof ApiProblem && query.error.status === 404) return <NoDeal />;
  if (query.data === undefined) {
    return (
      <AreaPage title={t('deals.deal.title')}>
        <Loaded query={query}>{() => null}</Loaded>
      </AreaPage>
    );
  }
  const edit = (
    <Button component={Link} to={`/deals/${id}/edit`} size="xs" variant="default">
      {t('crmArea.form.edit')}
    </Button>
  );
  return (
    <AreaPage title={query.data.name} actions={edit}>
      <div className={pageClasses.columns}>
        <Facts key={id} deal={query.data} />
        <Moves id={id} />
      </div>
    </AreaPage>
  );
}

function Facts({ deal }: { deal: DealView }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { value, currency, expected_close, contact, organisation, owner } = deal;
  const facts: [string, ReactNode][] = [
    [t('deals.deal.value'), value !== null && currency !== null && format.money(value, currency)],
    [t('deals.deal.expectedClose'), expected_close !== null && format.day(expected_close)],
    [
      t('deals.deal.contact'),
      contact !== null && (
        <Anchor inherit component={Link} to={`/contacts/${contact.id}`}>
          {contact.name ?? t('crmArea.contact.nameless')}
        </Anchor>
      ),
    ],
    [
      t('deals.deal.organisation'),
      organisation !== null && (
        <Anchor inherit component={Link} to={`/organisations/${organisation.id}`}>
          {organisation.name}
        </Anchor>
      ),
    ],
    [t('deals.deal.owner'), owner?.name ?? t('crmArea.form.nobody')],
  ];
  return (
    <Paper component="section" withBorder p="sm" aria-label={t('crmArea.contact.facts')}>
      <StageChoice deal={deal} />
      <dl className={contactClasses.facts}>
        {facts
          .filter(([, fact]) => fact !== false)
          .map(([name, fact]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{fact}</dd>
            </Fragment>
          ))}
      </dl>
    </Paper>
  );
}

/** Moves the deal without dragging it. */
function StageChoice({ deal }: { deal: DealView }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data: pipelines = [] } = useQuery(pipelinesQuery);
  const moving = useAction(async (stageId: string) => {
    try {
      noteChanged(
        queries,
        await api.patch<DealView>(`/api/crm/deals/${deal.id}`, { stage_id: stageId, version: deal.version }),
      );
    } catch (error) {
      if (isOutdated(error)) await queries.invalidateQueries({ queryKey: ['deals'] });
      throw error;
    }
  });
  return (
    <>
      <Select
        label={t('deals.deal.stage')}
        data={stageOptions(pipelines)}
        allowDeselect={false}
        maw={320}
        mb="sm"
        value={moving.isPending ? (moving.input ?? null) : deal.stage.id}
        onChange={(id) => id !== null && id !== deal.stage.id && moving.run(id)}
      />
      {moving.error !== null && (
        <Alert color="red" variant="light" role="alert" mb="sm">
          {messageOf(t, moving.error)}
        </Alert>
      )}
    </>
  );
}

/** Who moved it when, the latest first. */
function Moves({ id }: { id: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const query = useInfiniteQuery(movesQuery(id));
  return (
    <Paper component="section" withBorder p="sm" aria-label={t('deals.moves.title')}>
      <Title order={3}>{t('deals.moves.title')}</Title>
      <Listed query={query}>
        {(moves) => (
          <ol className={classes.moves}>
            {moves.map(({ id: key, at, by, from, to }) => (
              <li key={key}>
                <Text size="sm">
                  {from === null
                    ? t('deals.moves.made', { to: to.name })
                    : t('deals.moves.moved', { from: from.name, to: to.name })}
                </Text>
                <Text size="xs" c="dimmed">
                  {[format.moment(at), by?.name ?? t('crmArea.timeline.system')].join(' · ')}
                </Text>
              </li>
            ))}
          </ol>
        )}
      </Listed>
    </Paper>
  );
}

/** It was removed, or is nothing that this agent may see. */
function NoDeal() {
  const { t } = useTranslation();
  return (
    <AreaPage title={t('deals.deal.goneTitle')}>
      <p>{t('deals.deal.goneText')}</p>
      <Anchor component={Link} to="/deals">
        {t('deals.deal.toDeals')}
      </Anchor>
    </AreaPage>
  );
}
