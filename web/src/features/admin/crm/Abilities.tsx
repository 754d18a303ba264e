import { List, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconClock, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { CrmAbility, CrmCheck } from '../../../../../src/contract/crm.ts';

type Props = { check: CrmCheck; name: string };

/** What matters most to agents comes first. */
const order = ['pull', 'write_back', 'link', 'push'] as const satisfies readonly CrmAbility[];

/** What the gateway may do in the CRM, and what is missing for the rest. */
export function Abilities({ check: { account, abilities }, name }: Props) {
  const { t } = useTranslation();
  const told = order.flatMap((ability) => abilities.filter((one) => one.ability === ability));
  return (
    <>
      <Text size="sm" mb="xs">
        {t('admin.crm.check.as', { account })}
      </Text>
      <List spacing="xs" size="sm" center={false} listStyleType="none">
        {told.map(({ ability, works, needs, detail }) => (
          <List.Item
            key={ability}
            icon={
              <ThemeIcon color={works === null ? 'gray' : works ? 'teal' : 'red'} variant="light" size={20} radius="xl">
                {works === null ? <IconClock size={14} /> : works ? <IconCheck size={14} /> : <IconX size={14} />}
              </ThemeIcon>
            }
          >
            <Text size="sm" fw={500}>
              {works === null && ability === 'push'
                ? t('admin.crm.ability.push.awaited')
                : t(works ? `admin.crm.ability.${ability}.works` : `admin.crm.ability.${ability}.fails`)}
            </Text>
            {needs !== null && (
              <Text size="sm">
                {ability === 'push' ? t('admin.crm.ability.push.needs') : t('admin.crm.check.needs', { name, needs })}
              </Text>
            )}
            {detail !== null && (
              <Text size="sm" c="dimmed">
                {t('admin.crm.trouble.words', { name, words: detail })}
              </Text>
            )}
          </List.Item>
        ))}
      </List>
    </>
  );
}
