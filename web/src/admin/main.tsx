import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import { mount } from '../shared/mount.tsx';
import { Console } from './Console.tsx';

mount(<Console />);
