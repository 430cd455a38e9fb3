CREATE TABLE `stored_items` (
	`id_hash` integer PRIMARY KEY NOT NULL,
	`response_hash` text NOT NULL,
	`tokens` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `stored_objects` ADD `group_hash` text DEFAULT '' NOT NULL;