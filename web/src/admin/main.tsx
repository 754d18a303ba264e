import '@mantine/core/styles.css';
import { mount } from '../shared/mount.tsx';
import { SignInForm } from '../shared/SignInForm.tsx';

mount(<SignInForm title="Readyline" />);
