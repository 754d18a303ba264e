import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useWorkplace } from '../workplace/workplaceContext.ts';

type Props = { problem: string | null; onForgetProblem: () => void };

/** What the agent should read: of the workplace, and why a wish was refused. */
export function Notices({ problem, onForgetProblem }: Props) {
  const { view, workplace } = useWorkplace();
  const { notice } = view;
  return (
    <div aria-live="polite">
      {notice !== null && notice.text !== problem && (
        <Notice isProblem={notice.kind === 'problem'} text={notice.text} onClose={() => workplace.dismissNotice(notice.id)} />
      )}
      {problem !== null && <Notice isProblem text={problem} onClose={onForgetProblem} />}
    </div>
  );
}

function Notice({ isProblem, text, onClose }: { isProblem: boolean; text: string; onClose: () => void }) {
  return (
    <Alert
      mt="xs"
      p="xs"
      variant="light"
      color={isProblem ? 'red' : 'blue'}
      icon={isProblem ? <IconAlertTriangle size={16} /> : <IconInfoCircle size={16} />}
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={onClose}
    >
      {text}
    </Alert>
  );
}
