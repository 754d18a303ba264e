import './styles.ts';
import { Suspense } from 'react';
import { startTexts } from '../../lib/i18n/texts.ts';
import phone from '../../locales/en/phone.json';
import shared from '../../locales/en/shared.json';
import softphone from '../../locales/en/softphone.json';
import { mount } from '../../shared/mount.tsx';
import { shareSignIn } from '../../lib/gateway/signInSharing.ts';
import { lazyPart } from '../../lib/i18n/lazyPart.tsx';
import { SoftphonePage } from './SoftphonePage.tsx';

/** At an address of its own, for who does not telephone. */
const CrmAlonePage = lazyPart(
  async () => (await import('../crmAlone/CrmAlonePage.tsx')).CrmAlonePage,
  async () => ({ crmArea: (await import('../../locales/en/crmArea.json')).default }),
);
const page = location.pathname === '/crm' ? <CrmAlonePage /> : <SoftphonePage />;

void Promise.all([shareSignIn(), startTexts({ phone, shared, softphone })]).then(() =>
  mount(<Suspense fallback={null}>{page}</Suspense>),
);
