CREATE TABLE `stored_objects` (
	`kind` text NOT NULL,
	`id_hash` text NOT NULL,
	`user_id` integer NOT NULL,
	`channel_id` integer NOT NULL,
	`key_hash` text NOT NULL,
	`upstream_id` text DEFAULT '' NOT NULL,
	`tokens` integer NOT NULL,
	`created_time` integer NOT NULL,
	`expires_time` integer NOT NULL,
	PRIMARY KEY(`kind`, `id_hash`)
);
--> statement-breakpoint
CREATE INDEX `stored_objects_expiry` ON `stored_objects` (`expires_time`);