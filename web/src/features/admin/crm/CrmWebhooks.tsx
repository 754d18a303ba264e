import { useState } from 'react';
import { Button, DataList, Group, PasswordInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { Confirm } from '../components/Confirm.tsx';
import { CopyField } from '../components/Copyable.tsx';
import { Problem } from '../components/Loaded.tsx';
import { Moment } from '../components/Moment.tsx';
import { Section } from '../components/Page.tsx';
import { toast } from '../components/toast.ts';
import { ShownUntilStored } from '../components/ShownUntilStored.tsx';
import { fieldErrors } from '../form/fieldErrors.ts';
import {
  type ConnectableCrm,
  type InboundAddress,
  useNewAddress,
  useRemoveAddress,
  useSigningSecret,
} from './crmQueries.ts';

type Props = {
  provider: ConnectableCrm;
  /** Null: none was made yet. */
  address: InboundAddress | null;
};

type Step = 'rotate' | 'remove';

/** The CRM's own webhooks: their address, and what they are signed with. */
export function CrmWebhooks({ provider, address }: Props) {
  const { t } = useTranslation();
  const make = useNewAddress();
  const remove = useRemoveAddress();
  const [asked, setAsked] = useState<Step | null>(null);
  // The dialog keeps its words while it fades out.
  const [last, setLast] = useState<Step>('rotate');
  const { id, name } = provider;

  function ask(step: Step): void {
    make.reset();
    remove.reset();
    setLast(step);
    setAsked(step);
  }

  function confirm(): void {
    const close = () => setAsked(null);
    if (last === 'rotate') make.run(id, { onSuccess: close });
    else {
      remove.run(id, {
        onSuccess: () => {
          close();
          toast(t('admin.crm.notices.removed', { name }));
        },
      });
    }
  }

  return (
    <Section
      title={t('admin.crm.notices.title', { name })}
      note={t('admin.crm.notices.note', { name })}
      actions={
        address === null ? (
          <Button size="xs" variant="default" loading={make.isPending} onClick={() => make.run(id)}>
            {t('admin.crm.notices.make')}
          </Button>
        ) : (
          <>
            <Button size="xs" variant="default" onClick={() => ask('rotate')}>
              {t('admin.crm.notices.rotate')}
            </Button>
            <Button size="xs" variant="default" onClick={() => ask('remove')}>
              {t('admin.crm.notices.remove')}
            </Button>
          </>
        )
      }
    >
      {address === null ? (
        <Text size="sm">{t('admin.crm.notices.none', { name })}</Text>
      ) : (
        <>
          <DataList labelWidth="120px" gap="xs">
            <DataList.Item>
              <DataList.ItemLabel>{t('admin.crm.notices.address')}</DataList.ItemLabel>
              <DataList.ItemValue style={{ overflowWrap: 'anywhere' }}>{wholeUrl(address.url)}</DataList.ItemValue>
            </DataList.Item>
            <DataList.Item>
              <DataList.ItemLabel>{t('admin.crm.notices.issued')}</DataList.ItemLabel>
              <DataList.ItemValue>
                <Moment at={address.issued_at} />
              </DataList.ItemValue>
            </DataList.Item>
            <DataList.Item>
              <DataList.ItemLabel>{t('admin.crm.notices.last')}</DataList.ItemLabel>
              <DataList.ItemValue>
                {address.last_received_at === null ? (
                  t('admin.crm.notices.nothing')
                ) : (
                  <Moment at={address.last_received_at} />
                )}
              </DataList.ItemValue>
            </DataList.Item>
          </DataList>
          {provider.inbound?.signs === 'provider' && (
            <SigningSecret provider={provider} isSet={address.signing_secret_set} />
          )}
        </>
      )}
      {asked === null && <Problem error={make.error} />}
      <Confirm
        isOpen={asked !== null}
        title={t(`admin.crm.notices.${last}Title`)}
        action={t(`admin.crm.notices.${last}`)}
        isBusy={make.isPending || remove.isPending}
        error={make.error ?? remove.error}
        onClose={() => setAsked(null)}
        onConfirm={confirm}
      >
        <Text size="sm">{t(`admin.crm.notices.${last}Text`, { name })}</Text>
      </Confirm>
      <ShownUntilStored isShown={make.data !== undefined} isExpected={make.isPending} onStored={make.reset}>
        {make.data !== undefined && (
          <>
            <CopyField
              label={t('admin.crm.notices.address')}
              description={t('admin.crm.notices.addressHint', { name })}
              value={wholeUrl(make.data.url)}
            />
            {make.data.secret !== null && (
              <CopyField
                label={t('admin.crm.notices.secret')}
                description={t('admin.crm.notices.secretHint')}
                value={make.data.secret}
              />
            )}
          </>
        )}
      </ShownUntilStored>
    </Section>
  );
}

/** Where nobody told the gateway its public address, this page's is taken. */
function wholeUrl(url: string): string {
  return url.startsWith('/') ? `${window.location.origin}${url}` : url;
}

type SigningSecretProps = { provider: ConnectableCrm; isSet: boolean };

/** The secret with which the CRM signs: entered here, and never shown. */
function SigningSecret({ provider, isSet }: SigningSecretProps) {
  const { t } = useTranslation();
  const save = useSigningSecret(provider.id);
  const form = useForm({ initialValues: { signing_secret: '' } });

  function submit({ signing_secret: secret }: { signing_secret: string }): void {
    if (secret.trim() === '') return form.setErrors({ signing_secret: t('shared.cause.required') });
    save.run(secret.trim(), {
      onSuccess: () => {
        form.reset();
        toast(t('admin.crm.notices.signingSaved'));
      },
      onError: (error) => form.setErrors(fieldErrors(t, error)),
    });
  }

  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Group align="flex-end" gap="xs">
        <PasswordInput
          label={t('admin.crm.notices.signing', { name: provider.name })}
          description={t(isSet ? 'admin.crm.notices.signingSet' : 'admin.crm.notices.signingMissing')}
          {...form.getInputProps('signing_secret')}
          autoComplete="new-password"
          visibilityToggleButtonProps={{
            'aria-label': t('admin.crm.connect.show', {
              field: t('admin.crm.notices.signing', { name: provider.name }),
            }),
          }}
          flex="1 1 240px"
        />
        <Button type="submit" variant="default" loading={save.isPending}>
          {t('admin.common.save')}
        </Button>
      </Group>
      <Problem error={save.error} fields={['signing_secret']} />
    </form>
  );
}
