import { type Ref, useId } from 'react';
import { Badge, Group, Paper, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ContactView } from '../../../../../src/contract/contacts.ts';
import type { DuplicateView } from '../../../../../src/contract/duplicates.ts';
import { usePhoneText } from '../../../shared/phoneNumbers/phoneText.ts';
import { Comparison } from '../../merge/Comparison.tsx';
import { useDismiss } from './duplicateQueries.ts';

type Props = {
  duplicate: DuplicateView;
  isOpen: boolean;
  /** Of its heading's button. */
  buttonRef?: Ref<HTMLButtonElement> | undefined;
  onToggle: () => void;
  onMerged: (name: string | null) => void;
  onDismissed: () => void;
};

/** Two contacts that are probably one person, and what speaks for it; side by side once it is opened. */
export function Suggestion({
  duplicate: { id, reasons, contacts },
  isOpen,
  buttonRef,
  onToggle,
  onMerged,
  onDismissed,
}: Props) {
  const { t } = useTranslation();
  const phoneText = usePhoneText();
  const dismissing = useDismiss();
  const heading = useId();
  const body = useId();
  const [one, other] = contacts;
  if (one === undefined || other === undefined) return null;
  const title = ({ name, phones, emails }: ContactView) => {
    const [phone] = phones;
    return (
      name ??
      (phone === undefined ? undefined : phoneText(phone.phone_number)) ??
      emails[0]?.email ??
      t('duplicates.nameless')
    );
  };
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <Paper component="section" withBorder p="sm" aria-labelledby={heading}>
      <Stack gap="sm">
        <Title order={2} size="h5" id={heading}>
          <UnstyledButton ref={buttonRef} w="100%" aria-expanded={isOpen} aria-controls={body} onClick={onToggle}>
            <Group gap="xs" justify="space-between">
              <Group gap={4} wrap="nowrap" style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
                <Chevron size={16} style={{ flexShrink: 0 }} />
                <Text fw={600} size="sm">
                  {t('duplicates.pair', { one: title(one), other: title(other) })}
                </Text>
              </Group>
              <Group gap={4}>
                {reasons.map((reason) => (
                  <Badge key={reason} variant="light" color="gray" tt="none" fw={500}>
                    {t(`duplicates.reasons.${reason}`)}
                  </Badge>
                ))}
              </Group>
            </Group>
          </UnstyledButton>
        </Title>
        <div id={body} hidden={!isOpen}>
          {isOpen && (
            <Comparison
              contacts={[one, other]}
              onMerged={({ name }) => onMerged(name)}
              instead={{
                text: t('duplicates.dismiss'),
                isPending: dismissing.isPending,
                error: dismissing.error,
                onClick: () => dismissing.run(id, { onSuccess: onDismissed }),
              }}
            />
          )}
        </div>
      </Stack>
    </Paper>
  );
}
