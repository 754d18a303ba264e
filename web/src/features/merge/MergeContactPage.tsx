import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { messageOf } from '../../lib/gateway/apiProblem.ts';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { contactQuery } from '../contacts/contactQueries.ts';
import { contactTitle } from '../contacts/contactText.ts';
import { ContactSelect } from '../contacts/ContactSelect.tsx';
import { AreaPage } from '../crm/AreaPage.tsx';
import { Loaded } from '../crm/Loaded.tsx';
import { Comparison } from './Comparison.tsx';

/** Puts the contact of the address and another one, which is chosen here, into one. */
export function MergeContactPage() {
  const { t } = useTranslation();
  const phoneText = usePhoneText();
  const navigate = useNavigate();
  const { id = '' } = useParams();
  const [chosen, setChosen] = useState<{ id: string; name: string | null } | null>(null);
  // Both as they are now, not as a page before has read them.
  const one = useQuery({ ...contactQuery(id), refetchOnMount: 'always' });
  const other = useQuery({ ...contactQuery(chosen?.id ?? ''), enabled: chosen !== null, staleTime: 0 });
  const isSame = other.data !== undefined && other.data.id === one.data?.id;
  const leave = (to: string) => void navigate(`/contacts/${to}`);
  const wrong = isSame ? t('crmArea.merge.same') : other.error === null ? undefined : messageOf(t, other.error);
  return (
    <AreaPage
      title={
        one.data === undefined
          ? t('crmArea.contact.title')
          : t('crmArea.merge.title', { who: contactTitle(t, phoneText, one.data) })
      }
    >
      <Loaded query={one}>
        {(contact) => (
          <Stack gap="md" maw={720}>
            <Text size="sm">{t('crmArea.merge.note')}</Text>
            <ContactSelect label={t('crmArea.merge.with')} value={chosen} onChange={setChosen} error={wrong} />
            {chosen !== null && other.data !== undefined && !isSame && (
              <Comparison
                key={other.data.id}
                contacts={[contact, other.data]}
                onMerged={(merged) => leave(merged.id)}
                instead={{
                  text: t('crmArea.form.cancel'),
                  isPending: false,
                  error: null,
                  onClick: () => leave(contact.id),
                }}
              />
            )}
          </Stack>
        )}
      </Loaded>
    </AreaPage>
  );
}
