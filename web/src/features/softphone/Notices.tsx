import { Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../lib/i18n/lazyPart.tsx';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import { noticeText } from '../calls/callWords.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

const fetchNotice = () => import('./Notice.tsx');
/** The page starts without it, and has it before there is anything to say. */
const Notice = lazyPart(async () => (await fetchNotice()).Notice);

/** Why something failed, in words. `callAnyway`: dials all the same; null: nobody may, or it was no dial. */
export type ShownProblem = { text: string; callAnyway: (() => void) | null };

type Props = { problem: ShownProblem | null; onForgetProblem: () => void };

/** What the agent should read: of the workplace, and why a request was refused. */
export function Notices({ problem, onForgetProblem }: Props) {
  const { t } = useTranslation();
  const phoneText = usePhoneText();
  const { view, workplace } = useWorkplace();
  const { notice } = view;
  // Fetched again when it is needed, where this fails.
  useEffect(() => void fetchNotice().catch(() => undefined), []);
  const text = notice === null ? null : noticeText(t, phoneText, notice.message);
  return (
    <div aria-live="polite">
      <Suspense fallback={null}>
        {notice !== null && text !== null && text !== problem?.text && (
          <Notice
            isProblem={notice.kind === 'problem'}
            text={text}
            onClose={() => workplace.dismissNotice(notice.id)}
          />
        )}
        {problem !== null && (
          <Notice isProblem text={problem.text} callAnyway={problem.callAnyway} onClose={onForgetProblem} />
        )}
      </Suspense>
    </div>
  );
}
