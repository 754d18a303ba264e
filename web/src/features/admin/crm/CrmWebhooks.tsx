import { Button, Group, PasswordInput, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useRecordForm } from '../../../shared/form/useRecordForm.ts';
import { Confirm } from '../components/Confirm.tsx';
import { CopyField } from '../components/Copyable.tsx';
import { Facts } from '../components/Facts.tsx';
import { Problem } from '../components/Loaded.tsx';
import { Moment } from '../components/Moment.tsx';
import { Section } from '../components/Page.tsx';
import { toast } from '../components/toast.ts';
import { ShownUntilStored } from '../components/ShownUntilStored.tsx';
import { useAsked } from '../components/useAsked.ts';
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
  const { isOpen, about: step, ask, close } = useAsked<Step>('rotate', make, remove);
  const { id, name } = provider;

  function confirm(): void {
    if (step === 'rotate') make.run(id, { onSuccess: close });
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
          <Facts
            labelWidth="120px"
            gap="xs"
            facts={[
              [t('admin.crm.notices.address'), wholeUrl(address.url)],
              [t('admin.crm.notices.issued'), <Moment key="issued" at={address.issued_at} />],
              [
                t('admin.crm.notices.last'),
                address.last_received_at === null ? (
                  t('admin.crm.notices.nothing')
                ) : (
                  <Moment key="last" at={address.last_received_at} />
                ),
              ],
            ]}
          />
          {provider.inbound?.signs === 'provider' && (
            <SigningSecret provider={provider} isSet={address.signing_secret_set} />
          )}
        </>
      )}
      {!isOpen && <Problem error={make.error} />}
      <Confirm
        isOpen={isOpen}
        title={t(`admin.crm.notices.${step}Title`)}
        action={t(`admin.crm.notices.${step}`)}
        isBusy={make.isPending || remove.isPending}
        error={make.error ?? remove.error}
        onClose={close}
        onConfirm={confirm}
      >
        <Text size="sm">{t(`admin.crm.notices.${step}Text`, { name })}</Text>
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
  const { form, submit, isSaving, error } = useRecordForm(
    { signing_secret: '' },
    {
      action: useSigningSecret(provider.id),
      body: (_changes, { signing_secret: secret }) => secret.trim(),
      validate: ({ signing_secret: secret }) =>
        secret.trim() === '' ? { signing_secret: t('shared.cause.required') } : {},
      isGuarded: false,
      onSaved: () => toast(t('admin.crm.notices.signingSaved')),
    },
  );

  return (
    <form onSubmit={submit} noValidate>
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
        <Button type="submit" variant="default" loading={isSaving}>
          {t('admin.common.save')}
        </Button>
      </Group>
      <Problem error={error} fields={['signing_secret']} />
    </form>
  );
}
