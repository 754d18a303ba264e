import './styles.ts';
import { mount } from '../shared/mount.tsx';
import { shareSignIn } from '../shared/signInSharing.ts';
import { SoftphonePage } from './SoftphonePage.tsx';

void shareSignIn().then(() => mount(<SoftphonePage />));
