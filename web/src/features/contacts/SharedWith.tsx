import { Anchor, Text } from '@mantine/core';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

/** Who else has a number. */
export function SharedWith({ others }: { others: readonly { id: string; name: string | null }[] }) {
  const { t } = useTranslation();
  return (
    <Text size="xs" c="dimmed">
      {t('crmArea.contact.sharedWith')}{' '}
      {others.map(({ id, name }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <Anchor inherit component={Link} to={`/contacts/${id}`}>
            {name ?? t('crmArea.contact.unnamed')}
          </Anchor>
        </Fragment>
      ))}
    </Text>
  );
}
