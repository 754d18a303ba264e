import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import { startTexts } from '../../lib/i18n/texts.ts';
import admin from '../../locales/en/admin.json';
import shared from '../../locales/en/shared.json';
import wallboard from '../../locales/en/wallboard.json';
import { mount } from '../../shared/mount.tsx';
import { shareSignIn } from '../../lib/gateway/signInSharing.ts';
import { Console } from './shell/Console.tsx';

void Promise.all([shareSignIn(), startTexts({ admin, shared, wallboard })]).then(() => mount(<Console />));
