import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ApiProblem } from '../../lib/gateway/apiProblem.ts';

/** Leads to the contact that has what was asked for, where a refusal names it. */
export function TakenBy({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const id =
    error instanceof ApiProblem
      ? error.errors.map(({ params }) => params?.['contact_id']).find((param) => typeof param === 'string')
      : undefined;
  if (id === undefined) return null;
  return (
    <Anchor component={Link} to={`/contacts/${String(id)}`} inherit underline="always">
      {t('crmArea.form.openOther')}
    </Anchor>
  );
}
