import { OpenElsewhere } from './OpenElsewhere.tsx';
import { useDesk } from './workplaceContext.ts';

/** Shown while another tab or device of the same agent is the softphone. */
export function ReplacedScreen() {
  const { workplace } = useDesk();
  return (
    <OpenElsewhere
      title="Your softphone is open somewhere else"
      text="Another tab or device has taken over. Calls and customers are shown there; this page does nothing."
      action="Take it back to this page"
      onAction={() => workplace.takeOver()}
    />
  );
}
