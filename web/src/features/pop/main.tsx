import '@mantine/core/styles.css';
import { shareSignIn } from '../../lib/gateway/signInSharing.ts';
import { startTexts } from '../../lib/i18n/texts.ts';
import customer from '../../locales/en/customer.json';
import pop from '../../locales/en/pop.json';
import shared from '../../locales/en/shared.json';
import softphone from '../../locales/en/softphone.json';
import { mount } from '../../shared/mount.tsx';
import { PopPage } from './PopPage.tsx';

// At once, before anything else can read the address.
const link = takeLink();
// Whoever comes by a link is nobody, also where somebody is signed in.
void Promise.all([link === null ? shareSignIn() : null, startTexts({ customer, pop, shared, softphone })]).then(() =>
  mount(<PopPage link={link} />),
);

/** The credential behind `#`, which is never sent anywhere by itself; taken out of the address. Null: there is none. */
function takeLink(): string | null {
  const found = new URLSearchParams(window.location.hash.slice(1)).get('link');
  if (found === null) return null;
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
  return found;
}
