// Histories of instances and sets, and their cursors (brief §2.5, §2.6, §4.2, §6).
import { type Database, inBothForms } from './support/database.ts';
import { create, createSpells, match, object, spell, type Times } from './support/spells.ts';

type Event = (ts: number, action: string, data?: string) => string;

/** Writes events of one spell as JSON text. */
const eventsOf = ({ wire }: Database, id: number): Event => (ts, action, data) =>
  `{"ts":${ts},"action":"${action}",${wire.subject(wire.document('spells', id))}${data === undefined ? '' : `,"data":${data}`}}`;

const page = (...events: string[]): string => `{"data":[${events.join(',')}]}`;

inBothForms('an instance has create, update and delete events', async (db) => {
  const times = await createSpells(db);
  const updated = await db.write({ update: spell(1), params: object({ data: object({ level: 10 }) }) });
  await db.write({ delete: spell(1) });
  const deleted = Number((await db.value<{ data: { ts: number }[] }>({ paginate: { events: spell(1) } })).data[2]?.ts);
  const event = eventsOf(db, 1);
  const first = event(times[1], 'create', '{"name":"Fire Beak","element":"fire","level":1}');
  const second = event(updated, 'update', '{"level":10}');
  const third = event(deleted, 'delete', 'null');

  await db.gives({ events: spell(1) }, `{"@set":{"events":${db.wire.document('spells', 1)}}}`);
  await db.gives({ paginate: { events: spell(1) } }, page(first, second, third));
  await db.gives({ paginate: spell(1), events: true }, page(first, second, third));
  await db.gives({ paginate: { events: spell(1) }, ts: updated }, page(first, second));
  const { wire } = db;
  const subject = wire.subject(wire.document('spells', 1));
  await db.gives({ paginate: { events: spell(1) }, size: 2 }, `{"after":{"ts":${deleted},"action":"delete",${subject}},"data":[${first},${second}]}`);
  await db.gives({ map: { lambda: 'event', expr: { select: 'action', from: { var: 'event' } } }, collection: { paginate: { events: spell(1) } } }, '{"data":["create","update","delete"]}');

  // An instance without user data has none in its events in 2.0.
  const bare = await db.write({ create: spell(8), params: object({}) });
  await db.gives({ paginate: { events: spell(8) } }, page(eventsOf(db, 8)(bare, 'create', wire.version === '2.0' ? undefined : 'null')));
  await instantCursors(db, updated, [first, second, third]);
});

/** How a cursor is shown that is a time alone: from 2.1 on, with the actions of sets. */
const beginning = ({ version }: Database['wire']): string => (version === '2.0' ? 'create' : 'add');

async function instantCursors(db: Database, ts: number, [first = '', second = '', third = '']: readonly string[]): Promise<void> {
  const { wire } = db;
  const events = { paginate: { events: spell(1) } };
  const subject = wire.subject(wire.document('spells', 1));
  const at = (time: number): string => `{"ts":${time},"action":"${beginning(wire)}"}`;
  await db.gives({ ...events, after: ts }, `{"before":${at(ts)},"data":[${second},${third}]}`);
  await db.gives({ ...events, before: ts }, `{"after":${at(ts)},"data":[${first}]}`);
  const instant = new Date(Math.floor(ts / 1000)).toISOString().replace('Z', `${String(ts % 1000).padStart(3, '0')}Z`);
  await db.gives({ ...events, after: { '@ts': instant } }, `{"before":${at(ts)},"data":[${second},${third}]}`);
  await db.gives({ ...events, before: { time: instant } }, `{"after":${at(ts)},"data":[${first}]}`);
  await db.gives({ ...events, after: { '@date': '2017-01-01' } }, `{"before":${at(1483228800000000)},"data":[${first},${second},${third}]}`);
  await db.gives({ ...events, after: object({ ts }) }, `{"before":${at(ts)},"data":[${second},${third}]}`);
  await db.gives({ ...events, after: object({ ts, action: 'update' }) }, `{"before":{"ts":${ts},"action":"update"},"data":[${second},${third}]}`);
  await db.gives(
    { ...events, after: object({ ts, action: 'update', resource: spell(1) }) },
    `{"before":{"ts":${ts},"action":"update",${subject}},"data":[${second},${third}]}`,
  );
  await db.gives({ ...events, before: object({ ts, action: 'update', resource: spell(1) }) }, `{"after":{"ts":${ts},"action":"update",${subject}},"data":[${first}]}`);
  await db.gives({ ...events, before: null, size: 2 }, `{"before":{"ts":${ts},"action":"update",${subject}},"after":${wire.version === '2.0' ? 'null' : '{"ts":9223372036854775807,"action":"add"}'},"data":[${second},${third}]}`);
}

inBothForms('a set has add and remove events, with what its index covers', async (db) => {
  const { wire } = db;
  const times: Times = await createSpells(db);
  const updated = await db.write({ update: spell(3), params: object({ data: object({ name: 'Mud Wallow' }) }) });
  await db.write({ delete: spell(2) });
  const removed = Number((await db.value<{ data: { ts: number }[] }>({ paginate: { events: { singleton: spell(2) } } })).data[1]?.ts);
  const [second, third] = [eventsOf(db, 2), eventsOf(db, 3)];

  const refs = match('by_element', 'water');
  const entries = page(second(times[2], 'add'), third(times[3], 'add'), second(removed, 'remove'));
  await db.gives({ paginate: { events: refs } }, entries);
  await db.gives({ paginate: refs, events: true }, entries);
  await db.gives({ events: refs }, `{"@set":{"events":{"match":${wire.index('by_element')},"terms":"water"}}}`);

  const covered = (id: number, name: string): string => `["${name}",${wire.document('spells', id)}]`;
  await db.gives(
    { paginate: { events: match('names', 'water') } },
    page(
      second(times[2], 'add', covered(2, 'Water Claw')),
      third(times[3], 'add', covered(3, 'Hippo Wallow')),
      third(updated, 'remove', covered(3, 'Hippo Wallow')),
      third(updated, 'add', covered(3, 'Mud Wallow')),
      second(removed, 'remove', covered(2, 'Water Claw')),
    ),
  );

  await db.gives({ events: { singleton: spell(2) } }, `{"@set":{"events":{"singleton":${wire.document('spells', 2)}}}}`);
  await db.gives({ paginate: { events: { singleton: spell(2) } } }, page(second(times[2], 'add'), second(removed, 'remove')));
  await db.gives({ paginate: { singleton: spell(2) }, events: true }, page(second(times[2], 'add'), second(removed, 'remove')));
  await db.gives({ paginate: { singleton: spell(2) } }, page());
  await db.gives(
    { paginate: { events: { singleton: spell(2) } }, after: object({ ts: removed, action: 'remove', resource: spell(2) }) },
    `{"before":{"ts":${removed},"action":"remove",${wire.subject(wire.document('spells', 2))}},"data":[${second(removed, 'remove')}]}`,
  );
  await db.gives(
    { paginate: { events: { union: [refs, match('by_element', 'fire')] } }, ts: times[3] },
    page(eventsOf(db, 1)(times[1], 'add'), second(times[2], 'add'), third(times[3], 'add')),
  );

  const again = await db.write(create(2, { element: 'water' }));
  await db.gives({ paginate: { events: { singleton: spell(2) } }, after: removed + 1 }, `{"before":{"ts":${removed + 1},"action":"${beginning(wire)}"},"data":[${second(again, 'add')}]}`);
});
