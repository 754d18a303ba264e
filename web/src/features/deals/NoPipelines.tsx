import { Anchor, EmptyState } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { signedIn } from '../../lib/gateway/signIn.ts';

/** Before an admin has said which stages deals go through. */
export function NoPipelines() {
  const { t } = useTranslation();
  const isAdmin = signedIn()?.agent.role === 'admin';
  return (
    <EmptyState
      icon={<IconColumns3 />}
      title={t('deals.none.noPipelineTitle')}
      description={t(isAdmin ? 'deals.none.noPipelineAdmin' : 'deals.none.noPipelineText')}
    >
      {isAdmin && <Anchor href="/admin/pipelines">{t('deals.none.toPipelines')}</Anchor>}
    </EmptyState>
  );
}
