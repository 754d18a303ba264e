// Mantine's styles of dialogs, for pages that do not load all of them.
// The order matters to Mantine: what others build upon comes first.
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Modal.css';
