import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import { mount } from '../../shared/mount.tsx';
import { shareSignIn } from '../../lib/gateway/signInSharing.ts';
import { Console } from './shell/Console.tsx';

void shareSignIn().then(() => mount(<Console />));
