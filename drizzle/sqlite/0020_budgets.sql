CREATE TABLE `budget_holds` (
	`request_id` text NOT NULL,
	`budget_id` integer NOT NULL,
	`start` integer NOT NULL,
	`amount` integer NOT NULL,
	PRIMARY KEY(`request_id`, `budget_id`)
);
--> statement-breakpoint
CREATE INDEX `budget_holds_window` ON `budget_holds` (`budget_id`,`start`);--> statement-breakpoint
CREATE TABLE `budget_hours` (
	`budget_id` integer NOT NULL,
	`start` integer NOT NULL,
	`hour` integer NOT NULL,
	`used` integer NOT NULL,
	PRIMARY KEY(`budget_id`, `hour`, `start`)
);
--> statement-breakpoint
CREATE TABLE `budget_windows` (
	`budget_id` integer NOT NULL,
	`start` integer NOT NULL,
	`end` integer NOT NULL,
	`used` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`budget_id`, `start`)
);
--> statement-breakpoint
CREATE TABLE `budgets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`owner` text NOT NULL,
	`owner_id` integer NOT NULL,
	`name` text NOT NULL,
	`models` text NOT NULL,
	`unit` text NOT NULL,
	`amount` integer NOT NULL,
	`window` text NOT NULL,
	`seconds` integer DEFAULT 0 NOT NULL,
	`anchor` integer DEFAULT 0 NOT NULL,
	`zone` text DEFAULT '' NOT NULL,
	`refuses` integer NOT NULL,
	`created_time` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `budgets_owner` ON `budgets` (`owner`,`owner_id`);