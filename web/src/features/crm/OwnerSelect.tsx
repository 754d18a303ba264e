import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { signedIn } from '../../lib/gateway/signIn.ts';
import { type Choice, choiceOf, ColleagueSelect } from '../../shared/list/ColleagueSelect.tsx';

type Props = Omit<ComponentProps<typeof ColleagueSelect>, 'isKnownOnly' | 'known'> & {
  owner: { id: string; name: string } | null;
};

/** Who looks after a record: an agent leaves it as it is or takes it. @param owner who does so now, if anybody */
export function OwnerSelect({ owner, ...field }: Props) {
  const { t } = useTranslation();
  const role = signedIn()?.agent.role;
  const isLead = role === 'supervisor' || role === 'admin';
  return (
    <ColleagueSelect
      placeholder={t('crmArea.form.nobody')}
      known={[...ownChoice(), ...(owner === null ? [] : [{ value: owner.id, label: owner.name }])]}
      isKnownOnly={!isLead}
      clearable
      {...field}
    />
  );
}

/** Whoever is signed in, to choose themselves without looking for their name. */
export function ownChoice(): Choice[] {
  const me = signedIn()?.agent;
  return me === undefined ? [] : [choiceOf(me)];
}
