import { useWorkplace } from '../workplace/workplaceContext.ts';

/** A page around this one has a CRM of its own. */
const isEmbedded = window.parent !== window;

/** Whether the page has a CRM area: the company works with contacts, and the page is not a frame in another CRM. */
export function useHasArea(): boolean {
  return useWorkplace().view.settings?.contacts === true && !isEmbedded;
}
