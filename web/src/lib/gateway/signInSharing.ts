import { onSignOut, pageKind, setStoredSignIn, signedIn, type SignIn } from './signIn.ts';

type Message =
  | { type: 'ask'; from: string }
  | { type: 'answer'; to: string; signIn: SignIn; isSoftphone: boolean }
  | { type: 'signed_out'; agentId: string };

/** Other tabs answer within this time, or are asleep. Milliseconds. */
const answerWithinMs = 300;
/** Behind this, the form is shown whoever is signed in elsewhere: for a second person at the same browser. */
export const somebodyElse = '#sign-in';

let isSoftphoneHere = false;

/**
 * Whether this tab is, or is about to be, the softphone of who is signed in: a further tab asks
 * before it takes that over.
 */
export function setSoftphoneHere(isHere: boolean): void {
  isSoftphoneHere = isHere;
}

/**
 * A person signs in once per browser: a tab without a sign-in asks the others of the same page, and signing out ends
 * all tabs of that person. Nothing is stored for it (docs/decisions/0017). Resolves when the page can be shown.
 */
export async function shareSignIn(): Promise<void> {
  // Frames that a browser cuts off have no channels, or one of their own.
  if (typeof BroadcastChannel === 'undefined') return;
  const channel = new BroadcastChannel(`readyline.sign-in.${pageKind}`);
  const say = (message: Message) => channel.postMessage(message);
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    const current = signedIn();
    if (data.type === 'ask' && current !== null && isValid(current)) {
      say({ type: 'answer', to: data.from, signIn: current, isSoftphone: isSoftphoneHere });
    }
    // Another person's tab is none of it.
    if (data.type === 'signed_out' && current?.agent.id === data.agentId) {
      setStoredSignIn(null);
      // The console keeps what it shows behind a log-in that ended by itself; a call keeps its softphone.
      if (pageKind === 'console') location.reload();
    }
  });
  onSignOut((agentId) => say({ type: 'signed_out', agentId }));
  if (signedIn() !== null || location.hash === somebodyElse) return;
  const found = await ask(channel);
  if (found !== null && signedIn() === null) setStoredSignIn(found);
}

/** Null: nobody answers, or several persons are signed in, and nobody can tell who sits here. */
async function ask(channel: BroadcastChannel): Promise<SignIn | null> {
  const me = crypto.getRandomValues(new Uint32Array(4)).join('-');
  let answers: { signIn: SignIn; isSoftphone: boolean }[] = [];
  const signedOut = new Set<string>();
  const listen = ({ data }: MessageEvent<Message>) => {
    if (data.type === 'answer' && data.to === me && isValid(data.signIn)) answers.push(data);
    if (data.type === 'signed_out') signedOut.add(data.agentId);
  };
  channel.addEventListener('message', listen);
  channel.postMessage({ type: 'ask', from: me } satisfies Message);
  await new Promise((resolve) => setTimeout(resolve, answerWithinMs));
  channel.removeEventListener('message', listen);
  // A tab that was yet to hear of a sign-out answers as if there had been none.
  answers = answers.filter(({ signIn }) => !signedOut.has(signIn.agent.id));
  // The one that lasts longest, where one of them was renewed.
  const [best] = answers
    .map(({ signIn }) => signIn)
    .toSorted((one, other) => Date.parse(other.expiresAt) - Date.parse(one.expiresAt));
  if (best === undefined || answers.some(({ signIn }) => signIn.agent.id !== best.agent.id)) return null;
  return { ...best, isElsewhere: answers.some(({ isSoftphone }) => isSoftphone) };
}

function isValid({ expiresAt }: SignIn): boolean {
  return Date.parse(expiresAt) > Date.now();
}
