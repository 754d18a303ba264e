import './styles.ts';
import { mount } from '../../shared/mount.tsx';
import { shareSignIn } from '../../lib/gateway/signInSharing.ts';
import { SoftphonePage } from './SoftphonePage.tsx';

void shareSignIn().then(() => mount(<SoftphonePage />));
