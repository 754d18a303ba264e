import './styles.ts';
import { mount } from '../shared/mount.tsx';
import { SoftphonePage } from './SoftphonePage.tsx';

mount(<SoftphonePage />);
