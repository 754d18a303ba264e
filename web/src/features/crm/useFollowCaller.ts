import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { CrmScreenPop } from '../../../../src/contract/socket.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';
import { contactAddress, newContactAddress } from './areaAddress.ts';
import { isBeingEdited } from './editing.ts';
import { useMadeContact } from './madeContacts.ts';
import { besideFrom } from './width.ts';

/** Of a page that was opened by itself: nobody went there, so nobody's focus goes there. */
export type ByItself = { byItself: true };

/**
 * Shows the contact of whoever calls or is called, or the form that makes one of an unknown number: once for
 * each call and contact, where the area stands beside the softphone and nothing is being edited in it. @param
 * area its part of the page
 */
export function useFollowCaller(area: RefObject<Element | null>): void {
  const { pop } = useWorkplace().view;
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const made = useMadeContact(pop?.phone_number ?? null);
  const wanted = pop === null ? null : addressFor(pop, made);
  const callId = pop?.call_id ?? null;
  /** What was shown by itself last, and for which call. */
  const shown = useRef<{ callId: string; address: string } | null>(null);
  const follow = useEffectEvent((address: string, ofCall: string) => {
    const here = `${pathname}${search}`;
    const isSameCall = shown.current?.callId === ofCall;
    // Whoever has gone elsewhere during the call stays there.
    const hasLeft = isSameCall && shown.current?.address !== here;
    if (!besideFrom.matches || hasLeft || isBeingEdited(area.current)) return;
    shown.current = { callId: ofCall, address };
    if (here !== address) void navigate(address, { state: { byItself: true } satisfies ByItself });
  });
  useEffect(() => {
    if (wanted !== null && callId !== null) follow(wanted, callId);
  }, [wanted, callId]);
}

/** Null: there is nothing to show, or the CRM is still being asked. */
function addressFor(
  { found, looking_up: isLookingUp, phone_number: phone, screen_pop: known }: CrmScreenPop,
  made: string | undefined,
): string | null {
  const id = known.contact_id ?? made;
  if (id !== undefined) return contactAddress(id).slice(1);
  return phone === null || found || isLookingUp === true ? null : newContactAddress(phone).slice(1);
}
