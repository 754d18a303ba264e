import './styles.ts';
import { startTexts } from '../../lib/i18n/texts.ts';
import phone from '../../locales/en/phone.json';
import shared from '../../locales/en/shared.json';
import softphone from '../../locales/en/softphone.json';
import { mount } from '../../shared/mount.tsx';
import { shareSignIn } from '../../lib/gateway/signInSharing.ts';
import { SoftphonePage } from './SoftphonePage.tsx';

void Promise.all([shareSignIn(), startTexts({ phone, shared, softphone })]).then(() => mount(<SoftphonePage />));
