CREATE TABLE `moved_rows` (
	`source` text NOT NULL,
	`noun` text NOT NULL,
	`source_id` integer NOT NULL,
	`target_id` integer NOT NULL,
	`mark` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`source`, `noun`, `source_id`)
);
--> statement-breakpoint
CREATE TABLE `moves` (
	`source` text PRIMARY KEY NOT NULL,
	`product` text NOT NULL,
	`keeps_ids` integer NOT NULL,
	`logs_up_to` integer DEFAULT 0 NOT NULL,
	`created_time` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `openings` (
	`owner` text NOT NULL,
	`owner_id` integer NOT NULL,
	`used_quota` integer NOT NULL,
	`request_count` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`owner`, `owner_id`)
);
