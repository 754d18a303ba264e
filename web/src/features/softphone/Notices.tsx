import { Alert, Button } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { noticeText } from '../calls/phoneWords.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

/** Why something failed, in words. `callAnyway`: dials all the same; null: nobody may, or it was no dial. */
export type ShownProblem = { text: string; callAnyway: (() => void) | null };

type Props = { problem: ShownProblem | null; onForgetProblem: () => void };

/** What the agent should read: of the workplace, and why a request was refused. */
export function Notices({ problem, onForgetProblem }: Props) {
  const { t } = useTranslation();
  const phoneText = usePhoneText();
  const { view, workplace } = useWorkplace();
  const { notice } = view;
  const text = notice === null ? null : noticeText(t, phoneText, notice.message);
  return (
    <div aria-live="polite">
      {notice !== null && text !== null && text !== problem?.text && (
        <Notice isProblem={notice.kind === 'problem'} text={text} onClose={() => workplace.dismissNotice(notice.id)} />
      )}
      {problem !== null && (
        <Notice isProblem text={problem.text} callAnyway={problem.callAnyway} onClose={onForgetProblem} />
      )}
    </div>
  );
}

type ShownProblemProps = Pick<ShownProblem, 'text'> & {
  isProblem: boolean;
  callAnyway?: ShownProblem['callAnyway'];
  onClose: () => void;
};

function Notice({ isProblem, text, callAnyway = null, onClose }: ShownProblemProps) {
  const { t } = useTranslation();
  return (
    <Alert
      mt="xs"
      p="xs"
      variant="light"
      color={isProblem ? 'red' : 'blue'}
      icon={isProblem ? <IconAlertTriangle size={16} /> : <IconInfoCircle size={16} />}
      withCloseButton
      closeButtonLabel={t('softphone.notice.dismiss')}
      onClose={onClose}
    >
      {text}
      {callAnyway !== null && (
        <Button size="compact-xs" color="red" ml="xs" onClick={callAnyway}>
          {t('shared.callAnyway')}
        </Button>
      )}
    </Alert>
  );
}
