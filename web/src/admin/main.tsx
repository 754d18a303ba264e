import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import { mount } from '../shared/mount.tsx';
import { shareSignIn } from '../shared/signInSharing.ts';
import { Console } from './Console.tsx';

void shareSignIn().then(() => mount(<Console />));
