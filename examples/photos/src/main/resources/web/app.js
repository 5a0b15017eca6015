// The page of the photo example: uploads with progress, and a gallery that follows the server's events.

const UPLOADS_AT_ONCE = 3;
const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 5000;

const at = (id) => document.getElementById(id);
const gallery = at('gallery');
const uploads = at('uploads');
const photos = new Map();

// ---- gallery

function card(photo) {
  const found = gallery.querySelector(`[data-id="${CSS.escape(photo.id)}"]`);
  if (found) {
    return found;
  }
  const made = at('photo-card').content.firstElementChild.cloneNode(true);
  made.dataset.id = photo.id;
  made.querySelector('.photo-open').addEventListener('click', () => view(photos.get(photo.id)));
  const remove = made.querySelector('.photo-delete');
  remove.addEventListener('click', () => askOrDelete(remove, photo.id));
  remove.addEventListener('blur', () => remove.classList.remove('sure'));
  gallery.prepend(made);
  return made;
}

function show(photo) {
  const before = photos.get(photo.id);
  photos.set(photo.id, photo);
  const item = card(photo);
  item.dataset.state = photo.state;
  item.style.setProperty('--ratio', Math.min(3, Math.max(0.5, photo.width / photo.height)));
  item.querySelector('.photo-name').textContent = photo.name;
  item.querySelector('.photo-name').title = photo.name;
  item.querySelector('.photo-facts').textContent = `${photo.width} × ${photo.height}`;
  item.querySelector('.photo-state').textContent = stateText(photo);
  item.querySelector('.photo-delete').setAttribute('aria-label', `Delete ${photo.name}`);
  const ready = photo.state === 'ready';
  const open = item.querySelector('.photo-open');
  open.disabled = !ready;
  open.setAttribute('aria-label', ready ? `Open ${photo.name}` : `${photo.name}: ${stateText(photo)}`);
  const image = item.querySelector('.photo-image');
  if (ready && image.hidden) {
    image.src = `photos/${photo.id}/thumb`;
    image.hidden = false;
  }
  if (before && before.state !== photo.state) {
    say(`${photo.name} ${ready ? 'is ready' : stateText(photo)}`);
  }
  count();
}

function stateText(photo) {
  switch (photo.state) {
    case 'processing': return 'Making the thumbnail…';
    case 'failed': return `No thumbnail: ${photo.reason}`;
    default: return '';
  }
}

function forget(id) {
  const item = gallery.querySelector(`[data-id="${CSS.escape(id)}"]`);
  photos.delete(id);
  if (item) {
    moveFocusFrom(item);
    item.remove();
  }
  count();
}

function moveFocusFrom(item) {
  if (item.contains(document.activeElement)) {
    const next = item.nextElementSibling ?? item.previousElementSibling;
    (next?.querySelector('.photo-delete') ?? at('files')).focus();
  }
}

function count() {
  at('count').textContent = photos.size === 0 ? '' : photos.size;
  at('count').setAttribute('aria-label', `${photos.size} photos`);
  at('empty').hidden = photos.size > 0;
}

async function refresh() {
  const answer = await fetch('photos', { headers: { Accept: 'application/json' } });
  if (!answer.ok) {
    throw new Error(reason(answer.status, await answer.text()));
  }
  const list = await answer.json();
  const known = new Set(list.map((photo) => photo.id));
  [...photos.keys()].filter((id) => !known.has(id)).forEach(forget);
  [...list].reverse().forEach(show);
  count();
}

function askOrDelete(button, id) {
  if (!button.classList.contains('sure')) {
    button.classList.add('sure');
    button.setAttribute('aria-label', `Really delete ${photos.get(id)?.name}?`);
    return;
  }
  button.classList.remove('sure');
  remove(id);
}

async function remove(id) {
  const name = photos.get(id)?.name;
  try {
    const answer = await fetch(`photos/${id}`, { method: 'DELETE' });
    if (!answer.ok && answer.status !== 404) {
      throw new Error(reason(answer.status, await answer.text()));
    }
    forget(id);
    say(`${name} deleted`);
  } catch (failure) {
    notice(`${name} was not deleted: ${failure.message}`);
  }
}

function view(photo) {
  if (photo) {
    const image = at('viewer-image');
    image.src = `photos/${photo.id}`;
    image.alt = photo.name;
    at('viewer').showModal();
  }
}

at('viewer').addEventListener('click', (event) => {
  if (event.target === at('viewer')) {
    at('viewer').close();
  }
});
at('viewer').addEventListener('close', () => at('viewer-image').removeAttribute('src'));

// ---- uploads

const waiting = [];
let running = 0;

function add(files) {
  [...files].forEach((file) => {
    const item = at('upload-card').content.firstElementChild.cloneNode(true);
    item.querySelector('.upload-name').textContent = file.name;
    item.querySelector('.upload-bar').setAttribute('aria-label', `Upload of ${file.name}`);
    item.querySelector('.upload-again').addEventListener('click', () => queue(file, item));
    uploads.append(item);
    queue(file, item);
  });
}

function queue(file, item) {
  item.classList.remove('failed');
  item.querySelector('.upload-again').hidden = true;
  const dismiss = item.querySelector('.upload-dismiss');
  dismiss.textContent = 'Cancel';
  state(item, 'Waiting…', 0);
  const job = { file, item, request: null };
  dismiss.onclick = () => {
    waiting.splice(0, waiting.length, ...waiting.filter((other) => other !== job));
    job.request?.abort();
    item.remove();
  };
  waiting.push(job);
  next();
}

function next() {
  while (running < UPLOADS_AT_ONCE && waiting.length > 0) {
    running += 1;
    send(waiting.shift());
  }
}

function send(job) {
  const { file, item } = job;
  const form = new FormData();
  form.append('photo', file, file.name);
  const request = new XMLHttpRequest();
  job.request = request;
  request.upload.addEventListener('progress', (event) => {
    const part = event.lengthComputable ? event.loaded / event.total : 0;
    state(item, part < 1 ? `${Math.floor(part * 100)} % of ${size(file.size)}` : 'Checking…', part);
  });
  request.addEventListener('load', () => {
    if (request.status === 201) {
      item.remove();
      say(`${file.name} uploaded`);
    } else {
      fail(item, reason(request.status, request.responseText), request.status >= 500);
    }
  });
  request.addEventListener('error', () => fail(item, 'The connection was lost before the server answered.', true));
  request.addEventListener('loadend', () => {
    running -= 1;
    next();
  });
  request.open('POST', 'photos');
  request.send(form);
}

function state(item, text, part) {
  item.querySelector('.upload-state').textContent = text;
  item.querySelector('.upload-bar').value = part;
}

function fail(item, why, retriable) {
  item.classList.add('failed');
  item.querySelector('.upload-state').textContent = why;
  item.querySelector('.upload-again').hidden = !retriable;
  item.querySelector('.upload-dismiss').textContent = 'Dismiss';
  say(`${item.querySelector('.upload-name').textContent}: ${why}`);
}

function reason(status, text) {
  try {
    const body = JSON.parse(text);
    return body.detail ?? body.error ?? body.title ?? `The server answered ${status}.`;
  } catch {
    const plain = text.trim().split('\n')[0].replace(/^\d{3} /, '');
    const fits = plain && plain.length < 300 && !plain.startsWith('<');
    return fits ? plain[0].toUpperCase() + plain.slice(1) : `The server answered ${status}.`;
  }
}

function size(bytes) {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

at('files').addEventListener('change', (event) => {
  add(event.target.files);
  event.target.value = '';
});

let depth = 0;
document.addEventListener('dragenter', (event) => {
  if (event.dataTransfer?.types.includes('Files')) {
    depth += 1;
    at('drop').classList.add('over');
  }
});
document.addEventListener('dragleave', () => {
  depth = Math.max(0, depth - 1);
  at('drop').classList.toggle('over', depth > 0);
});
document.addEventListener('dragover', (event) => event.preventDefault());
document.addEventListener('drop', (event) => {
  event.preventDefault();
  depth = 0;
  at('drop').classList.remove('over');
  add(event.dataTransfer.files);
});

// ---- events

let retryMs = RETRY_FIRST_MS;

function connect() {
  const events = new EventSource('events');
  const on = (name, act) => events.addEventListener(name, (event) => act(event.data ? JSON.parse(event.data) : {}));
  on('hello', () => {
    retryMs = RETRY_FIRST_MS;
    refresh().then(() => banner('')).catch((failure) => notice(failure.message));
  });
  on('photo', show);
  on('gone', (photo) => forget(photo.id));
  events.addEventListener('draining', () => {
    banner('The server is restarting. This page comes back by itself.');
  });
  events.onerror = () => {
    events.close();
    if (at('banner').hidden) {
      banner('The server does not answer. Trying again…');
    }
    setTimeout(connect, retryMs);
    retryMs = Math.min(RETRY_MAX_MS, retryMs * 2);
  };
}

function banner(text) {
  at('banner').textContent = text;
  at('banner').hidden = text === '';
}

function notice(text) {
  banner(text);
  setTimeout(() => at('banner').textContent === text && banner(''), 6000);
}

function say(text) {
  at('said').textContent = text;
}

connect();
