import '@mantine/core/styles.css';
import { mount } from '../../shared/mount.tsx';
import { DemoPage } from './DemoPage.tsx';
import { signInByLink, takeLink } from './link.ts';

// At once, before anything else can read the address.
const link = takeLink();
mount(<DemoPage entering={link === null ? null : signInByLink(link)} />);
